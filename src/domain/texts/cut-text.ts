/** The beginning of a text, in characters as people count them: never half of a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  // A character has two units at most, so no others are looked at.
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('')
}
