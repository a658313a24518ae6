/** What the pages of a tenant show of whose they are. */
export interface Branding {
  name: string | null
  /** SHA-256 of the logo, in hexadecimal; null for none. */
  logoHash: string | null
}

export interface BrandingRows {
  get(tenantId: string): Promise<Branding | undefined>
  /** The PNG file with this hash, of any tenant. */
  logo(hash: string): Promise<Buffer | undefined>
  /** Replaces what is stored. @param logo undefined keeps the one that is stored */
  put(tenantId: string, name: string | null, logo: { bytes: Buffer; hash: string } | null | undefined): Promise<void>
}
