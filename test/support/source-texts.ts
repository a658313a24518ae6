import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** Chooses the value of a place in a text by the expression that makes it. */
type ValueIn = (expression: string) => string

const seven: ValueIn = () => '7'

/**
 * The texts of a source file that have a blank in them, with a value for each `${...}`.
 * @param valueIn `7` when left out
 */
export function textsOf(file: string, valueIn = seven): string[] {
  return textsBelow(sourceOf(file), valueIn)
}

/**
 * The same of the texts that calls of these functions are given, and that constants of the file have which the calls
 * name.
 */
export function textsGivenTo(callees: readonly string[], file: string, valueIn = seven): string[] {
  const source = sourceOf(file)
  const constants = new Map<string, ts.Expression>()
  const found: string[] = []
  const given = (node: ts.Node, isSeen = new Set<string>()): void => {
    found.push(...textsBelow(node, valueIn))
    const lookUp = (inner: ts.Node): void => {
      const constant = ts.isIdentifier(inner) && !isSeen.has(inner.text) && constants.get(inner.text)
      if (constant && !isAnswer(constant)) given(constant, new Set([...isSeen, inner.getText()]))
      ts.forEachChild(inner, lookUp)
    }
    lookUp(node)
  }
  everyNode(source, (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer) constants.set(node.name.getText(), node.initializer)
  })
  everyNode(source, (node) => {
    if (!(ts.isCallExpression(node) || ts.isNewExpression(node)) || !callees.includes(node.expression.getText())) return
    for (const argument of node.arguments ?? []) given(argument)
  })
  return found
}

const sourceOf = (file: string) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)

/** What a function has answered, or is: no text of the file. */
const isAnswer = (node: ts.Expression) =>
  ts.isCallExpression(node) || ts.isAwaitExpression(node) || ts.isArrowFunction(node)

function everyNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (inner) => everyNode(inner, visit))
}

function textsBelow(top: ts.Node, valueIn: ValueIn): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    const text = joined(node, valueIn)
    if (text?.includes(' ')) found.push(text)
    if (text === null || ts.isTemplateExpression(node)) ts.forEachChild(node, visit)
  }
  visit(top)
  return found
}

function joined(node: ts.Node, valueIn: ValueIn): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map((span) => valueIn(span.expression.getText()) + span.literal.text)
    return node.head.text + spans.join('')
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const [left, right] = [joined(node.left, valueIn), joined(node.right, valueIn)]
  const value = (text: string | null, part: ts.Node) => text ?? valueIn(part.getText())
  return left === null && right === null ? null : value(left, node.left) + value(right, node.right)
}
