/** Messages are stored compressed, perhaps to a thousandth, and some come from gateways: reading them needs a limit. */
export const MESSAGE_ARCHIVE = {
  /** The XML of one message, decompressed. The longest sale of `/v1` is shorter; an answer has at most 64 KB. */
  textBytes: 256 * 1024,
  /** Messages about one invoice that a server accepts from a gateway: one every five minutes for 30 days are 8640. */
  messages: 10_000,
  /** How many of these may have XML. A gateway keeps the XML of its first 20 attempts and of the confirmed one. */
  messagesWithXml: 64,
  /** The total XML in one answer, decompressed; the newest messages come first. */
  answerXmlBytes: 4 * 1024 * 1024,
  /** In UTF-16 units; the newest messages come first, and after that each has `answerMessageLength`. */
  answerTextLength: 4 * 1024 * 1024,
  answerMessageLength: 300,
} as const
