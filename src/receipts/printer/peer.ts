/** What is at the other end of a line, when it is no printer that answers in the language that is set. */
export type Peer = 'echo' | 'star' | 'escpos' | 'text'
