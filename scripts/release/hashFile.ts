import { createHash } from 'node:crypto';
import fs from 'node:fs';

/** Returns the SHA-256 of a file as sha256sum prints it. */
export const hashFile = (file: string): string => createHash('sha256').update(fs.readFileSync(file)).digest('hex');
