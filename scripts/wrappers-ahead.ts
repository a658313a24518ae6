import ts from 'typescript'

/** What esbuild calls its helper, and what it calls one more of them. */
const WRAPS = /^__commonJS\d*$/
const WRAPPER = /=__commonJS\d*\(\{"/g

/**
 * The engine compiles a function when it is first called, and Node's folder of compiled code keeps only what was compiled
 * when a file was read. What stands in parentheses is compiled with its file. So the bodies of CommonJS packages, nearly all of
 * which run as soon as their file is read, come out of that folder instead of being compiled anew at each start.
 * @param code as esbuild writes it: `var require_x=__commonJS({"path"(exports,module){...}});`
 * @throws Error when esbuild writes it in another way
 */
export function wrappersAhead(code: string): string {
  const expected = [...code.matchAll(WRAPPER)].length
  if (expected === 0) return code
  // TypeScript, which reads what is being typed, too, takes a point at the end of a line for the end of what is typed so
  // far. Such a point goes to the next line, where it means the same; nothing else moves.
  const readable = code.replaceAll('.\n', '\n.')
  const source = ts.createSourceFile('chunk.js', readable, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS)
  const wrappers = source.statements.flatMap(wrappersOf)
  if (wrappers.length !== expected)
    throw new Error(`${expected} CommonJS packages, of which ${wrappers.length} are found`)
  const parts: string[] = []
  let end = 0
  for (const { name, body } of wrappers) {
    parts.push(code.slice(end, name.end), ':(function', code.slice(name.end, body.end), ')')
    end = body.end
  }
  return parts.join('') + code.slice(end)
}

function wrappersOf(statement: ts.Statement): { name: ts.Node; body: ts.Node }[] {
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ initializer }) => {
    if (!initializer || !ts.isCallExpression(initializer)) return []
    const { expression, arguments: given } = initializer
    if (!ts.isIdentifier(expression) || !WRAPS.test(expression.text)) return []
    const [wrapped] = given
    const [method] = wrapped && ts.isObjectLiteralExpression(wrapped) ? wrapped.properties : []
    if (!method || !ts.isMethodDeclaration(method) || !method.body) return []
    return [{ name: method.name, body: method.body }]
  })
}
