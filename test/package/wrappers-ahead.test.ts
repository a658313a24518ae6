import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { wrappersAhead } from '../../scripts/wrappers-ahead.ts'

/** As esbuild's own helper. */
const HELPER = `var __commonJS=(cb,mod)=>function(){return mod||(0,cb[Object.keys(cb)[0]])((mod={exports:{}}).exports,mod),mod.exports};`

test('the body of a CommonJS package is compiled with its file, and does the same', () => {
  const code = `${HELPER}var require_x=__commonJS({"x.js"(exports,module){if(exports.\nodd in{})return;module.exports="}});("}});\nvar require_y=__commonJS({"y.js"(exports){exports.y=require_x()}});require_y().y`
  const ahead = wrappersAhead(code)
  expect(ahead).toContain('__commonJS({"x.js":(function(exports,module){')
  expect(ahead).toContain('__commonJS({"y.js":(function(exports){')
  // biome-ignore lint/security/noGlobalEval: what it does is what is asked
  expect([eval(code), eval(ahead)]).toEqual(['}});(', '}});('])
})

test('what is no CommonJS package stays as it is, byte for byte', () => {
  const code = 'export function f(){return{"x.js"(a){return a}}}'
  expect(wrappersAhead(code)).toBe(code)
})

test('a file whose packages are not found where they are named is refused', () => {
  expect(() => wrappersAhead('f(a=__commonJS({"x.js"(exports){}}))')).toThrow(
    '1 CommonJS packages, of which 0 are found',
  )
})

test('lines stay lines: a stack trace names the same place', async () => {
  const code = `${HELPER}\nvar require_x=__commonJS({"x.js"(exports,module){\nmodule.exports=1\n}});\nexport default require_x();`
  const ahead = wrappersAhead(code)
  expect(ahead.split('\n')).toHaveLength(code.split('\n').length)
  await transform(ahead)
})
