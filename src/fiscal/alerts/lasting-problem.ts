/** The state of a subject at one moment; null when it is not visible. */
export type Observation = 'wrong' | 'right' | null

/** Whether a problem has lasted long enough for an alert; `unclear` while that is not decided. */
export type Judgement = 'wrong' | 'right' | 'unclear'

interface Course {
  /** Since when it has been wrong, or right, without interruption. */
  wrongSince: number | null
  rightSince: number | null
}

/**
 * Distinguishes lasting problems from short ones. A restart does not resolve earlier alerts: until a subject was
 * observed long enough again, it is unclear. @param elapsed a monotonic clock in milliseconds
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
    keepOnly(subjects: ReadonlySet<string>): void {
      for (const subject of courses.keys()) if (!subjects.has(subject)) courses.delete(subject)
    },
  }
}
