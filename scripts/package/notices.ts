import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestOf } from './modules.ts'

export interface Notice {
  name: string
  version: string
  /** SPDX identifier. */
  license: string
  /** What the licence wants passed on with each copy. */
  text: string
}

const RULE = '-'.repeat(78)

/** The notices as one text. */
export function textOf(notices: readonly Notice[]): string {
  const sections = notices.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`)
  return `${sections.join(`\n\n${RULE}\n\n`)}\n`
}

/** The notice of each package, from the licence files in its folder. */
export function noticesOf(folders: readonly string[]): Notice[] {
  return folders.map((folder) => {
    const { name, version, license = 'unknown', author } = manifestOf(folder)
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    if (texts.length === 0) texts.push(standardText(name, license, author))
    return { name, version, license, text: texts.join('\n\n') }
  })
}

/** Files that were copied from other projects into our sources: each begins with its copyright, except htmx. */
function noticesOfCopies(inputs: readonly string[]): Notice[] {
  const sources = inputs.filter((file) => /^src\//.test(file)).map((file) => readFileSync(file, 'utf8'))
  const headed = sources.flatMap((source) => {
    const comment = /^\/\*([\s\S]*?)\*\//.exec(source)?.[1] ?? ''
    if (!/copyright/i.test(comment)) return []
    const text = comment.replaceAll(/^ \*? ?/gm, '').trim()
    return [{ name: text.split('\n')[0] ?? '', version: '(copied)', license: 'see its text', text }]
  })
  return [...headed, HTMX]
}

/** `htmx.min.js` carries no comment. */
const HTMX: Notice = {
  name: 'htmx',
  version: '2.0.11',
  license: '0BSD',
  text: `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM
LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR
OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.`,
}

const SWAGGER_UI = 'node_modules/@fastify/swagger-ui'

/** Swagger UI lies inside of the package `@fastify/swagger-ui`, whose licence file is about that package alone. */
function swaggerUiNotice(): Notice {
  const { version } = manifestOf(SWAGGER_UI)
  const text = `Copyright SmartBear Software Inc.\n\n${readFileSync('LICENSE', 'utf8').split('\n   APPENDIX')[0]?.trim()}`
  return { name: 'Swagger UI, in @fastify/swagger-ui', version, license: 'Apache-2.0', text }
}

/** Some packages name their licence and bring no file with its text. @throws Error for a licence without a text here */
function standardText(name: string, license: string, author: string | { name: string } | undefined): string {
  if (license !== 'MIT') throw new Error(`${name} has no licence file, and there is no text here for ${license}`)
  const holder = typeof author === 'object' ? author.name : (author ?? `the authors of ${name}`)
  return `Copyright (c) ${holder}\n\n${MIT}`
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`

/** The packages of which something stands in the bundle. */
export function bundledFolders(inputs: Record<string, unknown>): string[] {
  const folders = Object.keys(inputs).flatMap(
    (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  )
  return [...new Set(folders)].sort()
}

/**
 * The third-party software in `dist/` and in the packages beside it.
 * @param inputs of the bundle, by esbuild's metafile
 * @param beside folders of packages that are copied as they are
 */
export function shippedNotices(inputs: Record<string, unknown>, beside: readonly string[] = []): Notice[] {
  const folders = [...new Set([...bundledFolders(inputs), ...beside])].sort()
  const notices = [...noticesOf(folders), ...noticesOfCopies(Object.keys(inputs))]
  return beside.includes(SWAGGER_UI) ? [...notices, swaggerUiNotice()] : notices
}

/** The `copyright` of the Debian package in the machine-readable form, DEP-5. */
export function debianCopyright(runtime: Notice): string {
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: fiskd
Comment: The package holds fiskd, Node.js and libraries of others. The name,
 version, licence and copyright notice of each of them is in
 /usr/share/doc/fiskd/third-party-notices.gz.

Files: *
Copyright: The fiskd authors
License: Apache-2.0

Files: usr/lib/fiskd/bin/node
Copyright: Node.js contributors, and the authors of the libraries in Node.js
License: Node.js

Files: usr/lib/fiskd/dist/*
Copyright: The fiskd authors, and the authors of the libraries in the bundle
License: Apache-2.0 and third-party

Files: usr/lib/fiskd/node_modules/*
Copyright: The authors of the libraries
License: third-party

License: Apache-2.0
 On Debian systems the text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.

License: Node.js
 The licences of Node.js ${runtime.version} and of the libraries in it stand first in
 /usr/share/doc/fiskd/third-party-notices.gz.

License: third-party
 The licence of each library stands under its name in
 /usr/share/doc/fiskd/third-party-notices.gz.
`
}
