import type { JSONObject, SharedV4ProviderMetadata, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';

/** Marks our own among the `encrypted_content` of reasoning items: those of other services are for them alone. */
const mark = 'agent-workbench.';

/** A thought as the service that made it has to see it again. */
export interface SignedThought {
	/** As it was signed: callers may shorten summaries. */
	readonly text: string;
	/** The maker's own words on it, by provider. */
	readonly signed: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** ID of the tool call that was signed, for services that sign calls. */
	readonly call?: string;
}

/** The signatures of thoughts and calls that services give, and want back unchanged: by provider, the names of the fields. */
const signatureFields: Readonly<Record<string, readonly string[]>> = {
	anthropic: ['signature', 'redactedData'],
	google: ['thoughtSignature'],
	openaiCompatible: ['thoughtSignature'],
};

/** What is signed in a part's metadata, by provider; undefined where nothing is. */
export function signaturesIn(metadata: SharedV4ProviderMetadata | undefined): SignedThought['signed'] | undefined {
	const found = Object.entries(signatureFields).flatMap(([provider, names]) => {
		const fields = names.flatMap(name => {
			const value = metadata?.[provider]?.[name];
			return typeof value === 'string' ? [[name, value] as const] : [];
		});
		return fields.length > 0 ? [[provider, Object.fromEntries(fields)] as const] : [];
	});
	return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** A thought as `encrypted_content` of a reasoning item. */
export function envelope(thought: SignedThought): string {
	return mark + Buffer.from(JSON.stringify(thought)).toString('base64url');
}

/** The thought in such a text; undefined for one of another make. */
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
		const signed = signaturesIn(value['signed'] as SharedV4ProviderMetadata) ?? {};
		return { text: thought, signed, ...(typeof call === 'string' && { call }) };
	} catch {
		return undefined;
	}
}

/** A thought's signatures as options of a part of a prompt. What came over OpenAI's protocol is Gemini's there too. */
export function signatureOptions({ signed }: SignedThought): { providerOptions?: SharedV4ProviderOptions } {
	const { openaiCompatible, ...others } = signed;
	const google = others['google'] ?? openaiCompatible;
	const options: Record<string, JSONObject> = { ...others, ...(google && { google }) };
	return Object.keys(options).length > 0 ? { providerOptions: options } : {};
}
