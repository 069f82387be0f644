import type { LanguageModelV4FilePart, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { guardedRequest } from '#network/guardedRequest.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';
import { PrivateAddressError } from '#network/privateNetwork.ts';
import { TooLargeError } from '#network/replyLimits.ts';

/** Bytes of a file that is fetched for a model. */
const maxFileBytes = 20 * 1024 * 1024;
const connectTimeoutMs = 10_000;
const readTimeoutMs = 30_000;

/** How files are fetched. */
interface Reach {
	readonly network: NetworkSettings;
	readonly allowPrivateNetwork: boolean;
}

/**
 * A prompt whose files the model can take: those given by an address that it does not fetch itself are fetched and put in. `supported`: patterns of
 * addresses by media type, as the model names them. An address in a private network is refused unless that is allowed: whoever wrote the prompt
 * would read there with this machine's reach. Throws a fault (400) for a file that cannot be had.
 */
export async function inlineFiles(
	prompt: LanguageModelV4Prompt,
	supported: Readonly<Record<string, readonly RegExp[]>>,
	reach: Reach,
	signal: AbortSignal,
): Promise<LanguageModelV4Prompt> {
	return Promise.all(
		prompt.map(async message => {
			const inline = async <P extends { type: string }>(part: P): Promise<P> =>
				isFile(part) && !takes(supported, part) ? { ...part, ...(await inlined(part, reach, signal)) } : part;
			switch (message.role) {
				case 'user':
					return { ...message, content: await Promise.all(message.content.map(inline)) };
				case 'tool':
					return {
						...message,
						content: await Promise.all(
							message.content.map(async part => {
								if (part.type !== 'tool-result' || part.output.type !== 'content') {
									return part;
								}
								return { ...part, output: { ...part.output, value: await Promise.all(part.output.value.map(inline)) } };
							}),
						),
					};
				default:
					return message;
			}
		}),
	);
}

/** A file of a message or of a tool's result: both say media type and data alike. */
function isFile(part: { type: string }): part is LanguageModelV4FilePart {
	return part.type === 'file';
}

function takes(supported: Readonly<Record<string, readonly RegExp[]>>, { data, mediaType }: LanguageModelV4FilePart): boolean {
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

async function inlined(part: LanguageModelV4FilePart, reach: Reach, signal: AbortSignal): Promise<LanguageModelV4FilePart> {
	const { data } = part;
	if (data.type !== 'url') {
		return part;
	}
	const { url } = data;
	if (url.protocol === 'data:') {
		const [, mediaType, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(url.href) ?? [];
		if (mediaType === undefined || base64 === undefined) {
			throw new ServiceFault(400, 'A data address needs a media type and base64 data.');
		}
		return { ...part, mediaType, data: { type: 'data', data: base64 } };
	}
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw new ServiceFault(400, `The file at ${url.protocol}… cannot be fetched: expected an http or https address.`);
	}
	const { status, headers, body } = await guardedRequest({
		url,
		method: 'GET',
		headers: {},
		secretHeaders: new Set(),
		body: undefined,
		...reach,
		verifyCertificates: true,
		connectTimeoutMs,
		readTimeoutMs,
		maxBytes: () => maxFileBytes,
		signal,
	}).catch((error: unknown) => {
		signal.throwIfAborted();
		throw new ServiceFault(400, `The file at ${url.origin} cannot be fetched: ${reasonOf(error)}.`, { cause: error });
	});
	const mediaType = headers['content-type']?.split(';')[0]?.trim() ?? '';
	if (status < 200 || status >= 300 || !/^(image|audio|video)\/|^application\/pdf$|^text\/plain$/.test(mediaType)) {
		throw new ServiceFault(400, `The file at ${url.origin} cannot be used: it answered ${status} with ${mediaType || 'no media type'}.`);
	}
	return { ...part, mediaType, data: { type: 'data', data: body } };
}

function reasonOf(error: unknown): string {
	if (error instanceof TooLargeError) {
		return `it is too large, at most ${maxFileBytes} bytes are taken`;
	}
	return error instanceof PrivateAddressError
		? 'its address is in a private network, which the gateway\'s setting "allow_private_network" allows'
		: 'the connection failed';
}
