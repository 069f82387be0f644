import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a dataset ID as files contain it: encrypted for its workspace, deterministically. */
export function encryptDatasetId(id: string, workspaceId: string): string {
	const { key, iv } = deriveKey(workspaceId);
	const cipher = createCipheriv('aes-256-cbc', key, iv);
	return Buffer.concat([cipher.update(id, 'utf8'), cipher.final()]).toString('base64');
}

/** Decrypts a file's dataset ID; returns plain IDs unchanged, and `undefined` if it was encrypted for another workspace. */
export function decryptDatasetId(said: string, workspaceId: string): string | undefined {
	if (uuid.test(said)) {
		return said;
	}
	const { key, iv } = deriveKey(workspaceId);
	try {
		const decipher = createDecipheriv('aes-256-cbc', key, iv);
		const id = Buffer.concat([decipher.update(said, 'base64'), decipher.final()]).toString('utf8');
		return uuid.test(id) ? id : undefined;
	} catch {
		return undefined;
	}
}

function deriveKey(workspaceId: string): { key: Buffer; iv: Buffer } {
	const key = createHash('sha256').update(workspaceId).digest();
	return { key, iv: key.subarray(0, 16) };
}
