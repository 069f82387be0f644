import { providerVersion } from './versions.ts';

/** What is at a base URL: a service that speaks the contract (the built-in gateway too), or one of the real ones (wire facts 5). */
export type ServiceKind = 'gateway' | 'dify' | 'anthropic' | 'gemini' | 'openai' | 'anthropic-compatible';

/** Groups of endpoints that can have a separate key (contract, "Rules for all"): A and B; C and D; E. */
export const keyGroups = ['agent', 'messages', 'content'] as const;
export type KeyGroup = (typeof keyGroups)[number];

/** Where a key is sent: in a header, after its prefix, or in a query parameter. */
type Credential = { readonly header: string; readonly prefix: string } | { readonly query: string };

/** All that differs between kinds of service, apart from their paths (endpoints/) and what users read of them. */
export interface KindRules {
	/** The kind in a sentence: "… has no endpoint for …". */
	readonly label: string;
	/** Credentials of each group that the service has. */
	readonly credentials: Readonly<Partial<Record<KeyGroup, readonly Credential[]>>>;
	readonly headers?: Readonly<Partial<Record<KeyGroup, Readonly<Record<string, string>>>>>;
	/** Fields of bodies and queries that the service does not know. */
	readonly drops?: readonly string[];
	/** Fields of bodies that have another name there. */
	readonly renames?: Readonly<Record<string, string>>;
	/** Whether a base URL with a path contains the version already, as SDKs of the service expect it: paths begin after it. */
	readonly versionInBase?: boolean;
	/** Whether the service may run without a key, as local model servers do (wire facts 5). */
	readonly keyOptional?: boolean;
}

const bearer: Credential = { header: 'authorization', prefix: 'Bearer ' };
const apiKey: Credential = { header: 'x-api-key', prefix: '' };

const anthropic: KindRules = {
	label: 'The Anthropic API',
	credentials: { messages: [apiKey] },
	headers: { messages: { 'anthropic-version': providerVersion } },
	// the contract's name, and the real one (wire facts 2.0)
	renames: { tool_choices: 'tool_choice' },
};

/** The kinds of service, in the order in which they are offered. */
export const serviceKinds: Readonly<Record<ServiceKind, KindRules>> = {
	gateway: {
		label: 'This service',
		credentials: { agent: [bearer], messages: [apiKey], content: [{ query: 'key' }] },
		headers: { messages: { 'provider-version': providerVersion } },
	},
	// a key belongs to one app, so there is no agent name (wire facts 1.0)
	dify: { label: 'Dify', credentials: { agent: [bearer] }, drops: ['model'] },
	anthropic,
	// the header, because a key in a URL ends up in logs (wire facts 4)
	gemini: { label: 'The Gemini API', credentials: { content: [{ header: 'x-goog-api-key', prefix: '' }] } },
	openai: {
		label: 'An OpenAI-compatible service',
		credentials: { messages: [bearer] },
		// its list has no pages, and some refuse to be asked for one
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

/** Groups that a kind of service has. */
export function groupsOf(kind: ServiceKind): readonly KeyGroup[] {
	return keyGroups.filter(group => serviceKinds[kind].credentials[group]);
}

/** Whether a kind of service has agents, or generates text only. */
export function hasAgents(kind: ServiceKind): boolean {
	return serviceKinds[kind].credentials.agent !== undefined;
}
