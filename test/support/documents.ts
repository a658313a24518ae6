import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { inProject } from './stand-in.ts'

/** A Markdown file of the project. */
export interface MarkdownFile {
  /** From the root of the project. */
  path: string
  text: string
  /** The commands in its `sh` blocks, a line each: without comments, continued lines joined. */
  commands: string[]
  /** What stands between backticks in its prose. */
  codeSpans: string[]
  /** The anchors of its headings, as GitHub makes them. */
  anchors: string[]
  /** Where its links and pictures lead, outside of code. */
  links: string[]
}

/** What is generated, installed or kept by git. */
const NOT_OURS = new Set(['node_modules', 'dist', 'data', 'packages', 'profiles', 'coverage', '.git'])

export function markdownFiles(): MarkdownFile[] {
  return filesBelow(inProject('.'))
    .filter((path) => path.endsWith('.md'))
    .map((path) => readMarkdown(relative(inProject('.'), path), readFileSync(path, 'utf8')))
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesBelow(path)
    return [path]
  })
}

export function readMarkdown(path: string, text: string): MarkdownFile {
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, body]) => ({
    kind,
    body: body ?? '',
  }))
  const prose = text.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, '')
  const spans = [...prose.matchAll(/`((?:[^`\n]|\n(?!\n))+)`/g)].map(([, span]) => String(span).replaceAll(/\s+/g, ' '))
  return {
    path,
    text,
    commands: blocks.filter(({ kind }) => kind === 'sh').flatMap(({ body }) => commandsOf(body)),
    codeSpans: spans,
    anchors: anchorsOf(prose),
    links: [...prose.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => String(target)),
  }
}

function commandsOf(block: string): string[] {
  const lines = block.replaceAll(/\\\n\s*/g, ' ').split('\n')
  return lines.map((line) => line.replace(/(^|\s)#.*$/, '').trim()).filter((line) => line !== '')
}

function anchorsOf(prose: string): string[] {
  const seen = new Map<string, number>()
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const text = String(heading).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const anchor = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

/** The links of a document that lead nowhere. */
export function brokenLinks({ path, links, anchors }: MarkdownFile, all: readonly MarkdownFile[]): string[] {
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : join(dirname(path), file)
    if (!existsSync(inProject(target))) return true
    const there = file === '' ? anchors : all.find((one) => one.path === target)?.anchors
    return anchor !== undefined && !there?.includes(anchor)
  })
}

/** The files and folders of the project that a document names, in prose or commands. */
export function namedPaths({ text }: Pick<MarkdownFile, 'text'>): string[] {
  const folders = readdirSync(inProject('.'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_OURS.has(entry.name))
    .map(({ name }) => name.replaceAll('.', '\\.'))
  const prose = text.replaceAll(/\]\([^()\s]+\)/g, ']')
  const pattern = new RegExp(`(?<![\\w/.@~-])(?:${folders.join('|')})/[\\w./-]*`, 'g')
  return [...new Set([...prose.matchAll(pattern)].map(([path]) => path.replace(/[.-]+$/, '')))]
}

/** A command line as a shell splits it: quotes are taken off. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''))
}
