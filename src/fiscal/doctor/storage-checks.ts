import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { alike } from '../../domain/texts/both.ts'
import type { DataDisk } from '../ports/machine.ts'
import { DISK } from './database-checks.ts'
import { type HealthCheck, skippedAfter } from './doctor.ts'
import { judgeFileSystem, mountOf } from './file-system.ts'

/** Fewer are used up by the next few files; half as many more are a warning. */
const FEW_INODES = 100
const SHORT_OF_INODES = 1000

export const WRITES = { en: 'disk writes', hr: 'pisanje na disk' }
const FILE_SYSTEM = { en: 'file system', hr: 'datotečni sustav' }
const INODES = { en: 'inodes', hr: 'slobodni zapisi datoteka (inode)' }
const OTHER_DISK = {
  en: 'stop fiskd, move the data directory to a local ext4 disk, and name it with FISKD_DATA_DIR',
  hr: 'zaustavite fiskd, premjestite podatkovnu mapu na lokalni disk ext4 i upišite je u FISKD_DATA_DIR',
}

export function storageChecks(disk: DataDisk): HealthCheck[] {
  return [
    { name: WRITES, run: async () => [await writesCheck(disk)] },
    { name: FILE_SYSTEM, run: async () => [await fileSystemCheck(disk)] },
    { name: INODES, run: async () => [await inodesCheck(disk)] },
  ]
}

async function writesCheck(disk: DataDisk): Promise<Check> {
  const mount = mountOf(await disk.realPath(), await disk.mounts())
  try {
    const tookMs = Math.round(await disk.trialWrite())
    if (tookMs <= disk.slowWriteMs())
      return fine(WRITES, {
        en: `a trial write was on the disk in ${tookMs} ms`,
        hr: `probni zapis spremljen je na disk za ${tookMs} ms`,
      })
    const fix = {
      en: 'look for errors of the disk (dmesg), and replace an old SD card: fisk backup FILE first',
      hr: 'provjerite pogreške diska (dmesg) i zamijenite staru SD karticu: najprije fisk backup FILE',
    }
    const detail = {
      en: `a trial write took ${tookMs} ms to reach the disk: every sale waits as long`,
      hr: `probni zapis na disk trajao je ${tookMs} ms: toliko čeka svaka prodaja`,
    }
    return warning(WRITES, detail, fix)
  } catch (error) {
    return refused(disk.dataDir, error as NodeJS.ErrnoException, mount?.options ?? [])
  }
}

function refused(dataDir: string, { code, message }: NodeJS.ErrnoException, options: readonly string[]): Check {
  if (code === 'ENOSPC') return skippedAfter(WRITES, DISK)
  if (code === 'EROFS') {
    const self = options.includes('errors=remount-ro')
      ? { en: ': the kernel does so after an error of the disk', hr: ': sustav ga zaključava nakon pogreške diska' }
      : alike('')
    const detail = {
      en: `the disk of ${dataDir} has become read-only${self.en}`,
      hr: `na disk s mapom ${dataDir} više se ne može pisati${self.hr}`,
    }
    const fix = {
      en:
        'look for errors of the disk (dmesg), then restart the machine; a card that does it again is worn out: ' +
        'replace it, and restore the last backup',
      hr:
        'provjerite pogreške diska (dmesg), a zatim ponovno pokrenite računalo; ako se ponovi, kartica je ' +
        'istrošena: zamijenite je i vratite posljednju sigurnosnu kopiju',
    }
    return failure(WRITES, detail, fix)
  }
  if (code === 'EIO') {
    const fix = {
      en: 'replace the disk or SD card at once, and restore the last backup',
      hr: 'odmah zamijenite disk ili SD karticu i vratite posljednju sigurnosnu kopiju',
    }
    const detail = {
      en: `the disk of ${dataDir} reports errors (EIO)`,
      hr: `disk s mapom ${dataDir} javlja pogreške (EIO)`,
    }
    return failure(WRITES, detail, fix)
  }
  if (code === 'EDQUOT') {
    const detail = { en: 'the disk quota is used up', hr: 'dopušteni prostor na disku je iskorišten' }
    return failure(WRITES, detail, {
      en: 'free some space, or raise the quota',
      hr: 'oslobodite prostor ili povećajte dopušteni',
    })
  }
  const detail = {
    en: `nothing can be written to ${dataDir}: ${message}`,
    hr: `u ${dataDir} ne može se pisati: ${message}`,
  }
  return failure(WRITES, detail, {
    en: 'let the user that fiskd runs as write there',
    hr: 'dopustite pisanje korisniku pod kojim fiskd radi',
  })
}

async function fileSystemCheck(disk: DataDisk): Promise<Check> {
  const cmdline = await disk.kernelCommandLine()
  const { is, why } = judgeFileSystem(await disk.realPath(), await disk.mounts(), cmdline)
  const detail = { en: `it is on ${why.en}`, hr: `podaci su na: ${why.hr}` }
  if (is === 'fit') return fine(FILE_SYSTEM, detail)
  return is === 'unknown' ? warning(FILE_SYSTEM, detail, OTHER_DISK) : failure(FILE_SYSTEM, detail, OTHER_DISK)
}

async function inodesCheck(disk: DataDisk): Promise<Check> {
  const { files, free } = await disk.inodes()
  // Some file systems make them as they need them.
  if (files === 0)
    return fine(INODES, {
      en: 'this file system never runs out of them',
      hr: 'na ovom datotečnom sustavu ne mogu se potrošiti',
    })
  const detail = { en: `${free} of ${files} are free`, hr: `slobodno ${free} od ${files}` }
  const fix = {
    en: `remove what has many small files on this disk: du --inodes -x / | sort -n | tail`,
    hr: 'uklonite mape s mnogo malih datoteka na ovom disku: du --inodes -x / | sort -n | tail',
  }
  if (free < FEW_INODES)
    return failure(
      INODES,
      { en: `${detail.en}: no more files can be made`, hr: `${detail.hr}: nove se datoteke ne mogu stvarati` },
      fix,
    )
  return free < SHORT_OF_INODES ? warning(INODES, detail, fix) : fine(INODES, detail)
}
