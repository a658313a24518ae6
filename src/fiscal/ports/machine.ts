import type { EpochMs } from '../../domain/instant.ts'

/** A file or folder that this process uses, as it is now. */
export interface OwnFile {
  path: string
  /** `data`: the data directory itself; `operatorKey`: the key of a certificate that the operator has brought. */
  kind: 'data' | 'folder' | 'file' | 'secret' | 'operatorKey' | 'socket'
  /** The permission bits, e.g. 0o640. */
  mode: number
  /** Names of users; null where it belongs to the user that this process runs as. */
  foreign: { owner: string; user: string } | null
}

export interface OwnFiles {
  /** What is in use: the data directory, what lies in it, its secrets, and the admin socket. Others are left out. */
  list(): Promise<OwnFile[]>
  /** Which of the files of the database that this process has open, and its lock, are not those that bear their names. */
  replaced(): Promise<{ database: string[]; lock: string[] }>
  processId: number
}

export interface Mount {
  path: string
  type: string
  /** Of this mount and of its file system, e.g. `ro`, `errors=remount-ro`. */
  options: string[]
}

/** The disk that holds the data directory. */
export interface DataDisk {
  /** As it is configured. */
  dataDir: string
  /** Where the data directory really is, links followed. */
  realPath(): Promise<string>
  mounts(): Promise<Mount[]>
  /** What the kernel was started with; empty when it is not known. */
  kernelCommandLine(): Promise<string>
  /** @returns how long it took until the disk had a small file, milliseconds @throws Error with a `code` of errno(3) */
  trialWrite(): Promise<number>
  /** A write that takes longer to reach the disk is worth a warning, milliseconds. */
  slowWriteMs(): number
  /** `files`: 0 where the file system makes them as it needs them. */
  inodes(): Promise<{ files: number; free: number }>
}

export interface ProcessFacts {
  /** How many files it may have open, as the kernel says it: a number or `unlimited`; null when it does not. */
  openFileLimit(): Promise<string | null>
  /** Null when no service manager has started it; `seconds` 0 when that does not watch it. */
  watchdog(): { seconds: number } | null
}

/** A certificate that this process serves or has issued. */
export interface CertificateFile {
  path: string
  keyPath: string
  validFrom: EpochMs
  validTo: EpochMs
  /** Whether the key in the key's file is that of the certificate. */
  hasItsKey: boolean
}

export interface UnreadableFile {
  path: string
  unreadable: true
}

/** The certificates of the TLS listener. */
export interface ServedCertificates {
  /** Whether they are the local CA's, and not those of the operator. */
  areLocal: boolean
  server(): Promise<(CertificateFile & { isIssuedByLocalCa: boolean; missingNames: string[] }) | UnreadableFile>
  localCa(): Promise<CertificateFile | UnreadableFile>
}

/** An address where clients should reach the daemon. */
export interface ListenState {
  /** As it is configured, e.g. `192.168.1.20:8443`. */
  address: string
  /** Why the daemon does not listen there now, for people; null when all is well. */
  problem: string | null
}

/** The interval of retries for an address that could not be opened. */
export const LISTEN_AGAIN_S = 10
