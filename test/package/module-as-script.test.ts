import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { moduleAsScript } from '../../scripts/module-as-script.ts'

const META = { url: 'file:///dist/program/a.js' }

/** Runs a module as the program's loader would. */
function run(code: string, beside: Record<string, object> = {}) {
  const { script } = moduleAsScript('a.js', code)
  const load = (file: string) => beside[file]
  const importOther = async (name: string) => ({ name })
  return runInThisContext(script)(load, async (file: string) => load(file), importOther, META, require, 'a.js', '.')
}
const require = (name: string) => ({ name })

test.for<[what: string, code: string, beside: Record<string, object>]>([
  ['a file beside it', 'import{a as b}from"./b.js";var c=b;export{c as value}', { './b.js': { a: 1 } }],
  ['its own export', 'var value=1;export{value}', {}],
  ['what is declared below it', 'export{value};var value=one();function one(){return 1}', {}],
  ['a module of Node', 'import{extname as e}from"node:path";var value=e("x.y")===".y"?1:0;export{value}', {}],
  [
    'such a one as a whole',
    'import p from"node:path";import*as q from"node:path";var value=p===q?1:0;export{value}',
    {},
  ],
  ['a package', 'import x from"x";import{name}from"x";var value=x.name===name?1:0;export{value}', {}],
])('a script has the value of %s', ([, code, beside]) => {
  expect(run(code, beside)).toEqual({ value: 1 })
})

test('what is imported later is a promise, and a file beside it comes from the loader', async () => {
  const beside = { './b.js': { name: 'b' } }
  const { first, second } = run('var first=import("./b.js"),second=import("pg");export{first,second}', beside)
  expect(await Promise.all([first, second])).toEqual([{ name: 'b' }, { name: 'pg' }])
})

test('a module that waits at its top level is a promise, and is said to wait', async () => {
  const code = 'var value=await Promise.resolve(1);async function f(){await 0}export{value}'
  expect(moduleAsScript('a.js', code)).toMatchObject({ isAsync: true, imports: [] })
  expect(await run(code)).toEqual({ value: 1 })
  expect(moduleAsScript('a.js', 'import"./b.js";async function f(){await 0}')).toMatchObject({
    isAsync: false,
    imports: ['./b.js'],
  })
})

test('it knows where it is', () => {
  expect(run('var{url}=import.meta;export{url}')).toEqual(META)
})

test('lines stay lines: a stack trace names the same place', () => {
  const code = 'import{\na,\nb}from"./b.js";var c=\na;\nfunction f(){return c.\nd?.\ne}export{\nc,f}'
  const { script } = moduleAsScript('a.js', code)
  expect(script.split('\n').findIndex((line) => line.includes('e}'))).toBe(6)
  expect(code.split('\n').findIndex((line) => line.includes('e}'))).toBe(6)
})

test.for([
  ['an export that changes', 'var a=1;function f(){a=2}export{a}'],
  ['an export that changes', 'var a=1;var f=()=>a++;export{a as b}'],
  ['an export that changes', 'var a=1;function f(){[,(a)=3]=[2]}export{a}'],
  ['an export that changes', 'var a=1;function f(){({a}={a:2})}export{a}'],
  ['an export that changes', 'var a=1;function f(){({b:[...a]}={b:[2]})}export{a}'],
  ['an export that changes', 'var a=1;function f(){for(a of[2]);}export{a}'],
  ['an import from another folder', 'import{a}from"../b.js"'],
  ['a default import', 'import a from"./b.js"'],
  ['a default import', 'import{default as a}from"node:path"'],
  ['a default export', 'export default 1'],
  ['an export of another', 'export{a}from"./b.js"'],
  ['an export of another', 'export*from"./b.js"'],
] as const)('%s is refused, for a function cannot do that', ([why, code]) => {
  expect(() => moduleAsScript('a.js', code)).toThrow(`a.js: ${why}: `)
})
