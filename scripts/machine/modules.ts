import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files of kernel modules with all that they need, in the order in which they are to be loaded.
 * @param dir of the modules of one kernel, with the lists that `depmod` writes there
 * @param names such as `ext4`; one that is part of the kernel itself is left out
 */
export function inLoadOrder(dir: string, names: readonly string[]): string[] {
  const needs = new Map<string, string[]>()
  for (const [, file = '', others = ''] of readFileSync(join(dir, 'modules.dep'), 'utf8').matchAll(
    /^(.+?): ?(.*)$/gm,
  )) {
    // The last one is needed by those before it.
    needs.set(file, others.split(' ').filter(Boolean).reverse())
  }
  const fileOf = (name: string) => [...needs.keys()].find((file) => moduleName(file) === name)
  const files = names.map(fileOf).filter((file) => file !== undefined)
  return [...new Set(files.flatMap((file) => [...(needs.get(file) ?? []), file]))]
}

const moduleName = (file: string) => /([^/]+)\.ko\b/.exec(file)?.[1]?.replaceAll('-', '_')
