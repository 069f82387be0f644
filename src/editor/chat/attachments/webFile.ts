import type { Localization } from '#base/text/localization.ts';

const timeLimitMs = 15_000;
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']);

/** A downloaded file, or the message of a failed download, with the HTTP status if the server refused it. */
export type WebFile = { readonly type: string; readonly data: Buffer } | { readonly problem: string; readonly status?: number };

/** Downloads a file of at most `bytes` bytes without credentials. If `images` is set, accepts only images. Never rejects. */
export async function fetchFile(
	address: string,
	{ bytes, images = false }: { readonly bytes: number; readonly images?: boolean },
	words: Localization,
): Promise<WebFile> {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
		return { problem: words.t("This isn't a web address.") };
	}
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(timeLimitMs), credentials: 'omit', referrerPolicy: 'no-referrer' });
		const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? '';
		if (!response.ok || !response.body) {
			await response.body?.cancel();
			return { problem: words.t('The server responded with status {0}.', response.status), status: response.status };
		}
		if (images && !imageTypes.has(type)) {
			await response.body.cancel();
			return { problem: type ? words.t("The file isn't an image. Its type is '{0}'.", type) : words.t("The file isn't an image.") };
		}
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of response.body) {
			size += chunk.length;
			if (size > bytes) {
				return { problem: words.t('The file is larger than {0} MB.', bytes / 1048576) };
			}
			chunks.push(chunk);
		}
		return { type, data: Buffer.concat(chunks) };
	} catch {
		return { problem: words.t("Couldn't reach the server.") };
	}
}
