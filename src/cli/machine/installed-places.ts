import { INSTALLED_SOCKET } from '../io.ts'
import { environmentFilePath, variablesIn } from './environment-file.ts'
import { instanceToAsk } from './instances.ts'

/**
 * The environment of `fisk` with where the installed daemon is to be found, unless it says so itself. The unit names the
 * socket before it reads the file, wherever the file puts the data. Of several processes the first one that runs is asked.
 */
export function withInstalledPlaces(env: Record<string, string | undefined>): Record<string, string | undefined> {
  if (env.FISKD_SOCKET || env.FISKD_DATA_DIR) return env
  const { FISKD_DATA_DIR, FISKD_SOCKET = FISKD_DATA_DIR && INSTALLED_SOCKET } = variablesIn(environmentFilePath(env))
  const socket = instanceToAsk(env)?.socket ?? FISKD_SOCKET
  return { ...env, ...(socket && { FISKD_SOCKET: socket }), ...(FISKD_DATA_DIR && { FISKD_DATA_DIR }) }
}
