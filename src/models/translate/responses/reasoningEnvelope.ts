import type { JSONObject, SharedV4ProviderMetadata, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';

/** Marks our `encrypted_content` of reasoning items. Only other services can read theirs. */
const mark = 'agent-workbench.';

/** Reasoning in the form that its service needs back. */
export interface SignedThought {
	/** The signed text. It's included because callers may shorten summaries. */
	readonly text: string;
	/** Signature fields by provider. */
	readonly signed: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** ID of the signed tool call, for services that sign calls. */
	readonly call?: string;
}

/** Names of signature fields by provider. Services need them back unchanged. */
const signatureFields: Readonly<Record<string, readonly string[]>> = {
	anthropic: ['signature', 'redactedData'],
	google: ['thoughtSignature'],
	openaiCompatible: ['thoughtSignature'],
};

/** Returns the signatures in a part's metadata, by provider; undefined if there are none. */
export function findSignatures(metadata: SharedV4ProviderMetadata | undefined): SignedThought['signed'] | undefined {
	const found = Object.entries(signatureFields).flatMap(([provider, names]) => {
		const fields = names.flatMap(name => {
			const value = metadata?.[provider]?.[name];
			return typeof value === 'string' ? [[name, value] as const] : [];
		});
		return fields.length > 0 ? [[provider, Object.fromEntries(fields)] as const] : [];
	});
	return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** Encodes reasoning as `encrypted_content` of a reasoning item. */
export function createEnvelope(thought: SignedThought): string {
	return mark + Buffer.from(JSON.stringify(thought)).toString('base64url');
}

/** Decodes a string made by {@link createEnvelope}; undefined for strings of other services. */
export function openEnvelope(text: unknown): SignedThought | undefined {
	if (typeof text !== 'string' || !text.startsWith(mark)) {
		return undefined;
	}
	try {
		const value: unknown = JSON.parse(Buffer.from(text.slice(mark.length), 'base64url').toString());
		if (!isRecord(value) || typeof value['text'] !== 'string' || !isRecord(value['signed'])) {
			return undefined;
		}
		const { text: thought, call } = value;
		const signed = findSignatures(value['signed'] as SharedV4ProviderMetadata) ?? {};
		return { text: thought, signed, ...(typeof call === 'string' && { call }) };
	} catch {
		return undefined;
	}
}

/** Returns signatures as options of a prompt part. Signatures that arrived over OpenAI's protocol are Gemini's. */
export function getSignatureOptions({ signed }: SignedThought): { providerOptions?: SharedV4ProviderOptions } {
	const { openaiCompatible, ...others } = signed;
	const google = others['google'] ?? openaiCompatible;
	const options: Record<string, JSONObject> = { ...others, ...(google && { google }) };
	return Object.keys(options).length > 0 ? { providerOptions: options } : {};
}
