import ts from 'typescript'

const LOAD = 'fiskd$load'
const LATER = 'fiskd$later'
const IMPORT = 'fiskd$import'
const META = 'fiskd$meta'
/** What a script of the program is given; `src/daemon/script-loader.ts` calls it. */
const PARAMETERS = [LOAD, LATER, IMPORT, META, 'require', '__filename', '__dirname']

export interface AsScript {
  /** An expression: the function whose result is what the module exports. */
  script: string
  /** It waits at its top level: only an `import()` can wait for it. */
  isAsync: boolean
  /** The files beside it that it imports at its top level. */
  imports: string[]
}

/** The part of a text from here to there, and what comes in its place. */
interface Edit {
  from: number
  to: number
  text: string
}

/**
 * Rewrites a module that esbuild has bundled as a function, so that the program can keep what the engine has compiled of it
 * (Node keeps of a module only what was compiled when it was read). Lines stay where they are, for stack traces.
 * @throws Error where a function could not do what the module does
 */
export function moduleAsScript(name: string, code: string): AsScript {
  // TypeScript, which reads what is being typed, too, takes a point at the end of a line for the end of what is typed so
  // far. Such a point goes to the next line, where it means the same.
  const readable = code.replaceAll(/(?<!\?)\.\n/g, '\n.')
  const source = ts.createSourceFile(name, readable, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS)
  const edits: Edit[] = []
  const imports: string[] = []
  const head: string[] = []
  const exported = new Map<string, string>()
  let isAsync = false

  const replace = (node: ts.Node, text: string) => edits.push({ from: node.getStart(), to: node.end, text })
  const linesOf = (node: ts.Node) => '\n'.repeat(code.slice(node.getStart(), node.end).split('\n').length - 1)
  const refusal = (node: ts.Node, why: string) =>
    new Error(`${name}: ${why}: ${code.slice(node.getStart(), node.end).slice(0, 100)}`)

  function rewriteImport(statement: ts.ImportDeclaration): void {
    const from = textOf(statement.moduleSpecifier)
    const isBeside = from.startsWith('./')
    if (isBeside) imports.push(from)
    else if (from.startsWith('.')) throw refusal(statement, 'an import from another folder')
    const { importClause } = statement
    const given = isBeside ? `${LOAD}(${quoted(from)})` : packageOf(from)
    const bindings = importClause?.namedBindings
    const named = bindings && ts.isNamedImports(bindings) ? bindings.elements : []
    if (named.some(({ propertyName }) => propertyName?.text === 'default')) throw refusal(statement, 'a default import')
    if (importClause?.name) {
      // That of a package is the package itself.
      if (isBeside) throw refusal(statement, 'a default import')
      head.push(`const ${importClause.name.text}=${given};`)
    }
    if (bindings && ts.isNamespaceImport(bindings)) head.push(`const ${bindings.name.text}=${given};`)
    else if (bindings) head.push(`const{${named.map(renamed).join()}}=${given};`)
    else if (!importClause) head.push(`${given};`)
    replace(statement, linesOf(statement))
  }

  function rewriteExport(statement: ts.ExportDeclaration): void {
    const { exportClause, moduleSpecifier } = statement
    if (!exportClause || !ts.isNamedExports(exportClause) || moduleSpecifier)
      throw refusal(statement, 'an export of another')
    for (const { name: as, propertyName = as } of exportClause.elements) exported.set(as.text, propertyName.text)
    replace(statement, linesOf(statement))
  }

  function visit(node: ts.Node, depth: number): void {
    if (ts.isAwaitExpression(node) && depth === 0) isAsync = true
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) replace(node, META)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [what] = node.arguments
      replace(node.expression, what && ts.isStringLiteral(what) && what.text.startsWith('./') ? LATER : IMPORT)
    }
    ts.forEachChild(node, (child) => visit(child, depth + (ts.isFunctionLike(node) ? 1 : 0)))
  }

  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) rewriteImport(statement)
    else if (ts.isExportDeclaration(statement)) rewriteExport(statement)
    else if (ts.isExportAssignment(statement)) throw refusal(statement, 'a default export')
    else visit(statement, 0)
  }
  const changed = changeOf(source, new Set(exported.values()))
  if (changed) throw refusal(changed, 'an export that changes')
  const given = [...exported].map(([as, own]) => (as === own ? own : `${as}:${own}`))
  const script = `(${isAsync ? 'async ' : ''}function(${PARAMETERS.join()}){"use strict";${head.join('')}${edited(code, edits)}
return{${given.join()}}})`
  return { script, isAsync, imports }
}

/**
 * The first change of an export inside a function: an importer of a script has the value that was there at the end of it.
 * Another variable of the same name counts as well.
 */
function changeOf(source: ts.SourceFile, names: ReadonlySet<string>): ts.Node | undefined {
  const isExport = (node: ts.Node) => ts.isIdentifier(node) && names.has(node.text)
  const search = (node: ts.Node, depth: number): ts.Node | undefined => {
    if (depth > 0 && targetsOf(node).some(isExport)) return node
    return ts.forEachChild(node, (child) => search(child, depth + (ts.isFunctionLike(node) ? 1 : 0)))
  }
  return search(source, 0)
}

/** What a node gives another value to. */
function targetsOf(node: ts.Node): ts.Node[] {
  if (ts.isBinaryExpression(node) && assigns(node.operatorToken.kind)) return partsOf(node.left)
  if (ts.isForOfStatement(node) || ts.isForInStatement(node)) return partsOf(node.initializer)
  const counts = (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && COUNTS.has(node.operator)
  return counts ? partsOf(node.operand) : []
}

/** The targets within a pattern. */
function partsOf(node: ts.Node): ts.Node[] {
  if (ts.isParenthesizedExpression(node) || ts.isSpreadElement(node) || ts.isSpreadAssignment(node))
    return partsOf(node.expression)
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(partsOf)
  if (ts.isObjectLiteralExpression(node)) return node.properties.flatMap(partsOf)
  if (ts.isPropertyAssignment(node)) return partsOf(node.initializer)
  if (ts.isShorthandPropertyAssignment(node)) return [node.name]
  return ts.isBinaryExpression(node) ? partsOf(node.left) : [node]
}

const COUNTS: ReadonlySet<ts.SyntaxKind> = new Set([ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken])
const assigns = (kind: ts.SyntaxKind) => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment

/** A module of Node, or a package outside the bundle. */
const packageOf = (name: string) =>
  process.getBuiltinModule(name) ? `process.getBuiltinModule(${quoted(name)})` : `require(${quoted(name)})`

function renamed({ name, propertyName = name }: ts.ImportSpecifier): string {
  return name === propertyName ? name.text : `${propertyName.text}:${name.text}`
}

const textOf = (node: ts.Expression) => (ts.isStringLiteral(node) ? node.text : '')
const quoted = (text: string) => JSON.stringify(text)

function edited(code: string, edits: Edit[]): string {
  let text = ''
  let at = 0
  for (const edit of edits.sort((one, other) => one.from - other.from)) {
    text += code.slice(at, edit.from) + edit.text
    at = edit.to
  }
  return text + code.slice(at)
}
