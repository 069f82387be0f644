import type { LanguageModelV4FilePart, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { runConcurrently } from '#base/timing/runConcurrently.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { sendGuardedRequest } from '#network/guardedRequest.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';
import { PrivateAddressError } from '#network/privateNetwork.ts';
import { TooLargeError } from '#network/replyLimits.ts';

/** Maximum size of a fetched file, and of all fetched files of a prompt, in bytes. Services accept less. */
const maxFileBytes = 20 * 1024 * 1024;
const maxTotalBytes = 100 * 1024 * 1024;
/** Number of files to fetch at once. */
const filesAtOnce = 4;
const connectTimeoutMs = 10_000;
const readTimeoutMs = 30_000;

interface Reach {
	readonly network: NetworkSettings;
	readonly allowPrivateNetwork: boolean;
}

/** A file part's content. */
type FileContent = Pick<LanguageModelV4FilePart, 'mediaType' | 'data'>;

/**
 * Fetches files that the model can't fetch itself and inserts them into the prompt, each once. Refuses addresses in a private network
 * unless they are allowed, because the author of the prompt would gain this machine's network access. Throws an error (400) if a file can't
 * be fetched, or if the files are too large together.
 * @param supported address patterns by media type, as declared by the model
 */
export async function inlineFiles(
	prompt: LanguageModelV4Prompt,
	supported: Readonly<Record<string, readonly RegExp[]>>,
	reach: Reach,
	signal: AbortSignal,
): Promise<LanguageModelV4Prompt> {
	/** Number of parts by address. */
	const uses = new Map<string, number>();
	const whole = mapFiles(prompt, part => {
		const { data } = part;
		if (data.type !== 'url' || isSupported(supported, part)) {
			return part;
		}
		if (data.url.protocol === 'data:') {
			return { ...part, ...parseDataUrl(data.url) };
		}
		uses.set(data.url.href, (uses.get(data.url.href) ?? 0) + 1);
		return part;
	});
	const fetched = new Map<string, FileContent>();
	let bytes = 0;
	await runConcurrently(uses, filesAtOnce, undefined, async ([address, count]) => {
		const { mediaType, body } = await fetchFile(new URL(address), reach, signal);
		bytes += body.length * count;
		if (bytes > maxTotalBytes) {
			throw new ServiceFault(400, `The files that the prompt refers to are too large together. The limit is ${maxTotalBytes} bytes.`);
		}
		fetched.set(address, { mediaType, data: { type: 'data', data: body } });
	});
	return fetched.size === 0
		? whole
		: mapFiles(whole, part =>
				part.data.type === 'url' && !isSupported(supported, part) ? { ...part, ...fetched.get(part.data.url.href) } : part,
			);
}

/** Returns the prompt with changed files of messages and tool results. */
function mapFiles(
	prompt: LanguageModelV4Prompt,
	change: (part: LanguageModelV4FilePart) => LanguageModelV4FilePart,
): LanguageModelV4Prompt {
	const changePart = <P extends { type: string }>(part: P): P => (isFile(part) ? (change(part) as P & LanguageModelV4FilePart) : part);
	return prompt.map(message => {
		switch (message.role) {
			case 'user':
				return { ...message, content: message.content.map(changePart) };
			case 'tool':
				return {
					...message,
					content: message.content.map(part =>
						part.type === 'tool-result' && part.output.type === 'content'
							? { ...part, output: { ...part.output, value: part.output.value.map(changePart) } }
							: part,
					),
				};
			default:
				return message;
		}
	});
}

/** True for files of messages and of tool results, which have the same fields. */
function isFile(part: { type: string }): part is LanguageModelV4FilePart {
	return part.type === 'file';
}

function isSupported(supported: Readonly<Record<string, readonly RegExp[]>>, { data, mediaType }: LanguageModelV4FilePart): boolean {
	if (data.type !== 'url') {
		return true;
	}
	const address = data.url.href.toLowerCase();
	const [kind] = mediaType.split('/');
	return Object.entries(supported).some(
		([type, patterns]) =>
			(type === mediaType || type === '*/*' || type === '*' || type === `${kind}/*`) && patterns.some(pattern => pattern.test(address)),
	);
}

function parseDataUrl({ href }: URL): FileContent {
	const [, mediaType, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(href) ?? [];
	if (mediaType === undefined || base64 === undefined) {
		throw new ServiceFault(400, localizable`A data URL needs a media type and base64 data.`);
	}
	return { mediaType, data: { type: 'data', data: base64 } };
}

async function fetchFile(url: URL, reach: Reach, signal: AbortSignal): Promise<{ readonly mediaType: string; readonly body: Buffer }> {
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw new ServiceFault(400, localizable`Couldn't fetch the file at ${url.protocol}…: expected an http:// or https:// URL.`);
	}
	const { status, headers, body } = await sendGuardedRequest({
		url,
		method: 'GET',
		headers: {},
		secretHeaders: new Set(),
		body: undefined,
		...reach,
		verifyCertificates: true,
		connectTimeoutMs,
		readTimeoutMs,
		getMaxBytes: () => maxFileBytes,
		signal,
	}).catch((error: unknown) => {
		signal.throwIfAborted();
		throw new ServiceFault(400, describeFailure(url.origin, error), { cause: error });
	});
	const mediaType = headers['content-type']?.split(';')[0]?.trim() ?? '';
	if (status < 200 || status >= 300 || !/^(image|audio|video)\/|^application\/pdf$|^text\/plain$/.test(mediaType)) {
		throw new ServiceFault(
			400,
			localizable`Can't use the file at ${url.origin}: the response has status ${status} and media type '${mediaType}'.`,
		);
	}
	return { mediaType, body };
}

function describeFailure(origin: string, error: unknown): LocalizableMessage {
	if (error instanceof TooLargeError) {
		return localizable`Couldn't fetch the file at ${origin}: it's larger than ${maxFileBytes} bytes.`;
	}
	return error instanceof PrivateAddressError
		? localizable`Couldn't fetch the file at ${origin}: it's on a private network. Turn on agentWorkbench.gateway.allowPrivateNetwork ('allow_private_network' in a gateway's configuration) to allow this.`
		: localizable`Couldn't fetch the file at ${origin}: the connection failed.`;
}
