import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { runInNewContext } from 'node:vm'
import type { Plugin } from 'esbuild'

/** The module of libxml2 in a string, and the call that reads it: one letter a byte, U+0100 for zero where it is escaped. */
const PACKED = /\?\?=\w+\(('\0asm[^'\\]*(?:\\.[^'\\]*)*')\)/s

/**
 * Puts the WebAssembly of libxml2-wasm into a file. The engine would keep the text of it twice, 1.7 MB, and each start
 * would read and translate it letter by letter.
 * @param file where it goes
 * @param path where the program finds it, from its own file
 * @throws Error when the package is built otherwise than expected
 */
export function wasmBesideBundle(file: string, path: string): Plugin {
  return {
    name: 'wasm aside',
    setup({ onLoad }) {
      onLoad({ filter: /libxml2-wasm\/lib\/libxml2raw\.mjs$/ }, ({ path: source }) => {
        const text = readFileSync(source, 'utf8')
        const [call, literal] = PACKED.exec(text) ?? []
        if (!call || !literal) throw new Error(`${source} holds its WebAssembly in another way than expected`)
        const bytes = Uint8Array.from(runInNewContext(literal) as string, (letter) => letter.charCodeAt(0) % 256)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, bytes)
        const read = `??=process.getBuiltinModule('fs').readFileSync(new URL(${JSON.stringify(path)},import.meta.url))`
        return { contents: text.replace(call, () => read) }
      })
    },
  }
}
