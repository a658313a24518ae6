/**
 * What libxml2 reads: every answer that is not written in its usual form. Loaded with the first of them, for the
 * processor time of a start and the memory that libxml2 takes are too much for what most machines never need.
 */
export { claimsInXml } from './claims-in-xml.ts'
export { echoInXml } from './echo-in-xml.ts'
export { readReply } from './reply.ts'
export { checkSignature } from './signature-check.ts'
export { ANSWER_TO_SALE, readSigned } from './signed-answer.ts'
