import { INSTALLED_SOCKET } from '../io.ts'
import { environmentFilePath, variablesIn } from './environment-file.ts'
import { instanceToAsk } from './instances.ts'

/**
 * The environment of `fisk` with where the installed daemon is to be found and the language of the machine, unless it
 * says so itself. The unit names the socket before it reads the file, wherever the file puts the data. Of several
 * processes the first one that runs is asked.
 */
export function withInstalledPaths(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const known = variablesIn(environmentFilePath(env))
  const language = env.FISKD_LANGUAGE || known.FISKD_LANGUAGE
  const spoken = { ...env, ...(language && { FISKD_LANGUAGE: language }) }
  if (env.FISKD_SOCKET || env.FISKD_DATA_DIR) return spoken
  const { FISKD_DATA_DIR, FISKD_SOCKET = FISKD_DATA_DIR && INSTALLED_SOCKET } = known
  const socket = instanceToAsk(env)?.socket ?? FISKD_SOCKET
  return { ...spoken, ...(socket && { FISKD_SOCKET: socket }), ...(FISKD_DATA_DIR && { FISKD_DATA_DIR }) }
}
