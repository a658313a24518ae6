/** `codePage` as it is named outside of the program and in the database: `code_page`. */
export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
