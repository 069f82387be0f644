import { providerVersion } from '#contract/versions.ts';
import type { Group, Operation } from './operations.ts';

/** What stands behind a base URL: a service that speaks the contract (the built-in gateway too), or one of the real ones (wire facts 5). */
export type ServiceKind = 'gateway' | 'dify' | 'anthropic' | 'gemini' | 'anthropic-compatible' | 'openai';

/** Where a key goes: into a header, after its prefix, or into a query parameter. */
export type Credential = { readonly header: string; readonly prefix: string } | { readonly query: string };

/** All that differs between kinds of service. An operation without a path is one that the service does not have. */
export interface KindRules {
	/** The kind in a sentence: "… has no endpoint for …". */
	readonly label: string;
	readonly paths: Readonly<Partial<Record<Operation, string>>>;
	readonly credentials: Readonly<Record<Group, readonly Credential[]>>;
	readonly headers: Readonly<Partial<Record<Group, Readonly<Record<string, string>>>>>;
	/** Fields of bodies and queries that the service does not know. */
	readonly drops: readonly string[];
	/** Fields of bodies that have another name there. */
	readonly renames: Readonly<Record<string, string>>;
	/** Whether a base URL with a path holds the version already, as SDKs of the service take it: paths begin behind it. */
	readonly versionInBase?: boolean;
}

const bearer: Credential = { header: 'authorization', prefix: 'Bearer ' };
const apiKey: Credential = { header: 'x-api-key', prefix: '' };
const googleKey: Credential = { header: 'x-goog-api-key', prefix: '' };
const queryKey: Credential = { query: 'key' };

const messagesPaths = {
	createMessage: '/v1/messages',
	createCompletion: '/v1/complete',
	listMessagesModels: '/v1/models',
	countMessagesTokens: '/v1/messages/count_tokens',
} as const;

const contentPaths = {
	generateContent: '/v1beta/models/{id}:generateContent',
	streamGenerateContent: '/v1beta/models/{id}:streamGenerateContent',
	listContentModels: '/v1beta/models',
	countContentTokens: '/v1beta/models/{id}:countTokens',
} as const;

const anthropic: KindRules = {
	label: 'The Anthropic API',
	paths: messagesPaths,
	credentials: { agent: [], messages: [apiKey], content: [] },
	headers: { messages: { 'anthropic-version': providerVersion } },
	drops: [],
	// the contract's name against the real one (wire facts 2.0)
	renames: { tool_choices: 'tool_choice' },
};

/** The table of service kinds. */
export const serviceKinds: Readonly<Record<ServiceKind, KindRules>> = {
	gateway: {
		label: 'This service',
		paths: {
			runWorkflow: '/v1/agent/workflows/run',
			getRun: '/v1/agent/workflows/run/{id}',
			stopRun: '/v1/agent/workflows/tasks/{id}/stop',
			listLogs: '/v1/agent/workflows/logs',
			deleteConversation: '/v1/agent/conversations/{id}',
			listConversations: '/v1/agent/conversations',
			renameConversation: '/v1/agent/conversations/{id}/name',
			listAgents: '/v1/agent/agents',
			publishAgent: '/v1/agent/agents/{id}/publish',
			unpublishAgent: '/v1/agent/agents/{id}/unpublish',
			followRun: '/v1/agent/workflows/run/{id}/events',
			followChatMessage: '/v1/agent/workflow/{id}/events',
			getForm: '/v1/agent/form/human_input/{id}',
			submitForm: '/v1/agent/form/human_input/{id}',
			checkAgent: '/v1/agent/agents/{id}/check',
			giveAgentSecrets: '/v1/agent/agents/{id}/secrets',
			listDatasets: '/v1/agent/knowledge',
			reindexDataset: '/v1/agent/knowledge/{id}/reindex',
			listTextCalls: '/v1/agent/text-calls',
			getTextCall: '/v1/agent/text-calls/{id}',
			getUsage: '/v1/agent/usage',
			modelCache: '/v1/agent/model-cache',
			clearModelCache: '/v1/agent/model-cache',
			publishedAgent: '/v1/agent/agents/{id}/published',
			runDraft: '/v1/agent/workflows/draft/run',
			debugRun: '/v1/agent/workflows/debug',
			commandDebugger: '/v1/agent/workflows/debug/{id}',
			agentParameters: '/v1/agent/parameters',
			uploadFile: '/v1/agent/files/upload',
			createChatMessage: '/v1/agent/chat-messages',
			stopChatMessage: '/v1/agent/chat-messages/{id}/stop',
			listChatMessages: '/v1/agent/messages',
			...messagesPaths,
			...contentPaths,
		},
		credentials: { agent: [bearer], messages: [apiKey], content: [queryKey] },
		headers: { messages: { 'provider-version': providerVersion } },
		drops: [],
		renames: {},
	},
	// Dify's own paths; a key belongs to one app, so there is no agent name (wire facts 1.0)
	dify: {
		label: 'Dify',
		paths: {
			runWorkflow: '/v1/workflows/run',
			getRun: '/v1/workflows/run/{id}',
			stopRun: '/v1/workflows/tasks/{id}/stop',
			listLogs: '/v1/workflows/logs',
			deleteConversation: '/v1/conversations/{id}',
			listConversations: '/v1/conversations',
			renameConversation: '/v1/conversations/{id}/name',
			followRun: '/v1/workflow/{id}/events',
			followChatMessage: '/v1/workflow/{id}/events',
			getForm: '/v1/form/human_input/{id}',
			submitForm: '/v1/form/human_input/{id}',
			agentParameters: '/v1/parameters',
			uploadFile: '/v1/files/upload',
			createChatMessage: '/v1/chat-messages',
			stopChatMessage: '/v1/chat-messages/{id}/stop',
			listChatMessages: '/v1/messages',
			rateMessage: '/v1/messages/{id}/feedbacks',
			listFeedback: '/v1/app/feedbacks',
			suggestedQuestions: '/v1/messages/{id}/suggested',
			listAnnotations: '/v1/apps/annotations',
			createAnnotation: '/v1/apps/annotations',
			updateAnnotation: '/v1/apps/annotations/{id}',
			deleteAnnotation: '/v1/apps/annotations/{id}',
			audioToText: '/v1/audio-to-text',
			textToAudio: '/v1/text-to-audio',
			previewFile: '/v1/files/{id}/preview',
			endUser: '/v1/end-users/{id}',
			listVariables: '/v1/conversations/{id}/variables',
			setVariable: '/v1/conversations/{id}/variables/{part}',
		},
		credentials: { agent: [bearer], messages: [], content: [] },
		headers: {},
		drops: ['model'],
		renames: {},
	},
	anthropic,
	// Ollama's cloud and OpenRouter read the bearer token, LM Studio and DeepSeek `x-api-key` (wire facts 5)
	'anthropic-compatible': {
		...anthropic,
		label: 'An Anthropic-compatible server',
		credentials: { agent: [], messages: [apiKey, bearer], content: [] },
	},
	openai: {
		label: 'An OpenAI-compatible service',
		paths: { chatCompletion: '/v1/chat/completions', listMessagesModels: '/v1/models' },
		credentials: { agent: [], messages: [bearer], content: [] },
		headers: {},
		// its list has no pages, and some refuse to be asked for one
		drops: ['limit', 'after_id'],
		renames: {},
		versionInBase: true,
	},
	// the header, because a key in a URL ends up in logs (wire facts 4)
	gemini: {
		label: 'The Gemini API',
		paths: contentPaths,
		credentials: { agent: [], messages: [], content: [googleKey] },
		headers: {},
		drops: [],
		renames: {},
	},
};
