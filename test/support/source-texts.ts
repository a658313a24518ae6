import { readFileSync } from 'node:fs'
import ts from 'typescript'

/**
 * The texts of a source file that have a blank in them, with a value for each `${...}`.
 * @param valueIn chooses the value by the expression; `7` when left out
 */
export function textsOf(file: string, valueIn: (expression: string) => string = () => '7'): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const joined = (node: ts.Node): string | null => {
    if (ts.isStringLiteralLike(node)) return node.text
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map((span) => valueIn(span.expression.getText()) + span.literal.text)
      return node.head.text + spans.join('')
    }
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
    const [left, right] = [joined(node.left), joined(node.right)]
    const value = (text: string | null, part: ts.Node) => text ?? valueIn(part.getText())
    return left === null && right === null ? null : value(left, node.left) + value(right, node.right)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    const text = joined(node)
    if (text?.includes(' ')) found.push(text)
    if (text === null || ts.isTemplateExpression(node)) ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
