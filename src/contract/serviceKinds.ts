import { providerVersion } from './versions.ts';

/** Kind of service at a base URL: one that implements the contract (including the built-in gateway), or a vendor's (wire facts 5). */
export type ServiceKind = 'gateway' | 'dify' | 'anthropic' | 'gemini' | 'openai' | 'anthropic-compatible';

/** Groups of endpoints that can have a separate key (contract, "Rules for all"): A and B; C and D; E. */
export const keyGroups = ['agent', 'messages', 'content'] as const;
export type KeyGroup = (typeof keyGroups)[number];

/** Where a key is sent: in a header after a prefix, or in a query parameter. */
type Credential = { readonly header: string; readonly prefix: string } | { readonly query: string };

/** Differences between kinds of service, except paths (endpoints/) and strings for users. */
export interface KindRules {
	/** Name in sentences: "… has no endpoint for …". */
	readonly label: string;
	/** Credentials of the service's groups. */
	readonly credentials: Readonly<Partial<Record<KeyGroup, readonly Credential[]>>>;
	readonly headers?: Readonly<Partial<Record<KeyGroup, Readonly<Record<string, string>>>>>;
	/** Fields of bodies and queries that the service doesn't know. */
	readonly drops?: readonly string[];
	/** Fields of bodies that have another name. */
	readonly renames?: Readonly<Record<string, string>>;
	/** True if a base URL with a path already contains the version, as SDKs of the service expect. */
	readonly versionInBase?: boolean;
	/** True if the service may not need a key, like local model servers (wire facts 5). */
	readonly keyOptional?: boolean;
}

const bearer: Credential = { header: 'authorization', prefix: 'Bearer ' };
const apiKey: Credential = { header: 'x-api-key', prefix: '' };

const anthropic: KindRules = {
	label: 'The Anthropic API',
	credentials: { messages: [apiKey] },
	headers: { messages: { 'anthropic-version': providerVersion } },
	// from the contract's name to the real one (wire facts 2.0)
	renames: { tool_choices: 'tool_choice' },
};

/** Kinds of service, in display order. */
export const serviceKinds: Readonly<Record<ServiceKind, KindRules>> = {
	gateway: {
		label: 'This service',
		credentials: { agent: [bearer], messages: [apiKey], content: [{ query: 'key' }] },
		headers: { messages: { 'provider-version': providerVersion } },
	},
	// a key belongs to one app, so the agent name isn't sent (wire facts 1.0)
	dify: { label: 'Dify', credentials: { agent: [bearer] }, drops: ['model'] },
	anthropic,
	// send the header, because a key in a URL ends up in logs (wire facts 4)
	gemini: { label: 'The Gemini API', credentials: { content: [{ header: 'x-goog-api-key', prefix: '' }] } },
	openai: {
		label: 'An OpenAI-compatible service',
		credentials: { messages: [bearer] },
		// the model list has no pages, and some services reject page parameters
		drops: ['limit', 'after_id'],
		versionInBase: true,
		keyOptional: true,
	},
	// Ollama's cloud and OpenRouter read the bearer token, LM Studio and DeepSeek `x-api-key` (wire facts 5)
	'anthropic-compatible': {
		...anthropic,
		label: 'An Anthropic-compatible server',
		credentials: { messages: [apiKey, bearer] },
		keyOptional: true,
	},
};

/** Returns the groups of a kind of service. */
export function listKeyGroups(kind: ServiceKind): readonly KeyGroup[] {
	return keyGroups.filter(group => serviceKinds[kind].credentials[group]);
}

/** True if a kind of service has agents, not only text generation. */
export function hasAgents(kind: ServiceKind): boolean {
	return serviceKinds[kind].credentials.agent !== undefined;
}
