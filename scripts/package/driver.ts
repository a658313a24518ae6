import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Architecture } from './architectures.ts'
import { run } from './run.ts'

const DRIVER = 'node_modules/better-sqlite3'

/**
 * Compiles SQLite's driver for an architecture and a runtime; what was compiled once is taken from the cache.
 * @param headers folder with the `include/node` of the runtime
 * @returns the native module's file
 * @throws Error when the compiler is missing or fails
 */
export function buildDriver(
  { node, triplet, runtime }: Architecture,
  version: string,
  headers: string,
  cache: string,
): string {
  const built = join(cache, `better-sqlite3-${version}-node-${runtime.version}-${node}.node`)
  if (existsSync(built)) return built
  const gyp = process.env.npm_config_node_gyp
  if (!gyp) throw new Error('npm says nothing about node-gyp: run this as `npm run package`')
  const work = mkdtempSync(join(tmpdir(), 'fiskd-driver-'))
  try {
    cpSync(DRIVER, work, { recursive: true })
    rmSync(join(work, 'build'), { recursive: true, force: true })
    const tools = { CC: `${triplet}-gcc`, CXX: `${triplet}-g++`, AR: `${triplet}-ar`, LINK: `${triplet}-g++` }
    const args = [gyp, 'rebuild', '--release', `--nodedir=${headers}`, `--arch=${node}`]
    run(process.execPath, args, { cwd: work, env: { ...withoutNpm(process.env), ...tools } })
    const module = join(work, 'build/Release/better_sqlite3.node')
    run(`${triplet}-strip`, ['--strip-unneeded', module])
    mkdirSync(cache, { recursive: true })
    cpSync(module, `${built}.part`)
    renameSync(`${built}.part`, built)
    return built
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** node-gyp would take npm's own settings, such as where headers are, before those that it is given. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('npm_config_')))
}
