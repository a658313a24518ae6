import { withInstalledPaths } from './machine/installed-paths.ts'
import { run } from './program.ts'

// A reader that has seen enough (`fisk status | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  isTty: Boolean(process.stdin.isTTY && process.stdout.isTTY),
  env: withInstalledPaths(process.env),
})
