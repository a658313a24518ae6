/** What somebody sees of a thing at a moment; null when it cannot be seen. */
export type Observation = 'wrong' | 'right' | null

/** Whether a thing is wrong for long enough to be told; `unclear` while nobody can say yet. */
export type Judgement = 'wrong' | 'right' | 'unclear'

interface Course {
  /** Since when it is wrong without having been right, and the other way about. */
  wrongSince: number | null
  rightSince: number | null
}

/**
 * Tells what lasts from what comes and goes. What was told before a restart is not taken back by it: until things were
 * seen for as long again, they are unclear.
 * @param elapsed milliseconds that have passed, whatever is done to the clock
 * @param raiseAfterMs how long something must be wrong before it is told
 * @param clearAfterMs how long it must be right before it is over
 */
export function createLastingProblems(
  elapsed: () => number,
  { raiseAfterMs = 0, clearAfterMs = 0 }: { raiseAfterMs?: number; clearAfterMs?: number },
) {
  const courses = new Map<string, Course>()
  return {
    judge(subject: string, sight: Observation): Judgement {
      if (sight === null) return 'unclear'
      const now = elapsed()
      const course = courses.get(subject) ?? { wrongSince: null, rightSince: null }
      const { wrongSince, rightSince } = course
      courses.set(subject, {
        wrongSince: sight === 'wrong' ? (wrongSince ?? now) : null,
        rightSince: sight === 'right' ? (rightSince ?? now) : null,
      })
      if (sight === 'wrong') return now - (wrongSince ?? now) >= raiseAfterMs ? 'wrong' : 'unclear'
      return now - (rightSince ?? now) >= clearAfterMs ? 'right' : 'unclear'
    },
    /** Of others nothing is remembered any more. */
    keepOnly(subjects: ReadonlySet<string>): void {
      for (const subject of courses.keys()) if (!subjects.has(subject)) courses.delete(subject)
    },
  }
}
