/** Endpoints that share a credential (contract, "Rules for all"): A and B; C and D; E. */
export type Group = 'agent' | 'messages' | 'content';

/** What is the same for an operation in every kind of service. Paths differ: see serviceKinds.ts. */
export interface OperationRule {
	readonly group: Group;
	readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Its answer comes when work is done, minutes later perhaps, so it gets the long time limit. */
	readonly works?: boolean;
}

/** The eleven operations of the contract and, below, those that services have beyond it (issue 4). */
export const operations = {
	runWorkflow: { group: 'agent', method: 'POST', works: true },
	getRun: { group: 'agent', method: 'GET' },
	stopRun: { group: 'agent', method: 'POST' },
	listLogs: { group: 'agent', method: 'GET' },
	deleteConversation: { group: 'agent', method: 'DELETE' },
	listConversations: { group: 'agent', method: 'GET' },
	renameConversation: { group: 'agent', method: 'POST', works: true },
	createMessage: { group: 'messages', method: 'POST', works: true },
	createCompletion: { group: 'messages', method: 'POST', works: true },
	chatCompletion: { group: 'messages', method: 'POST', works: true },
	generateContent: { group: 'content', method: 'POST', works: true },
	streamGenerateContent: { group: 'content', method: 'POST', works: true },

	listAgents: { group: 'agent', method: 'GET' },
	publishAgent: { group: 'agent', method: 'POST' },
	unpublishAgent: { group: 'agent', method: 'POST' },
	followRun: { group: 'agent', method: 'GET', works: true },
	followChatMessage: { group: 'agent', method: 'GET', works: true },
	getForm: { group: 'agent', method: 'GET' },
	submitForm: { group: 'agent', method: 'POST' },
	checkAgent: { group: 'agent', method: 'POST' },
	giveAgentSecrets: { group: 'agent', method: 'POST' },
	listDatasets: { group: 'agent', method: 'GET' },
	reindexDataset: { group: 'agent', method: 'POST' },
	listTextCalls: { group: 'agent', method: 'GET' },
	getTextCall: { group: 'agent', method: 'GET' },
	getUsage: { group: 'agent', method: 'GET' },
	modelCache: { group: 'agent', method: 'GET' },
	clearModelCache: { group: 'agent', method: 'DELETE' },
	publishedAgent: { group: 'agent', method: 'GET' },
	runDraft: { group: 'agent', method: 'POST', works: true },
	debugRun: { group: 'agent', method: 'POST', works: true },
	commandDebugger: { group: 'agent', method: 'POST' },
	agentParameters: { group: 'agent', method: 'GET' },
	uploadFile: { group: 'agent', method: 'POST', works: true },
	createChatMessage: { group: 'agent', method: 'POST', works: true },
	stopChatMessage: { group: 'agent', method: 'POST' },
	listChatMessages: { group: 'agent', method: 'GET' },
	rateMessage: { group: 'agent', method: 'POST' },
	listFeedback: { group: 'agent', method: 'GET' },
	suggestedQuestions: { group: 'agent', method: 'GET', works: true },
	listAnnotations: { group: 'agent', method: 'GET' },
	createAnnotation: { group: 'agent', method: 'POST' },
	updateAnnotation: { group: 'agent', method: 'PUT' },
	deleteAnnotation: { group: 'agent', method: 'DELETE' },
	audioToText: { group: 'agent', method: 'POST', works: true },
	textToAudio: { group: 'agent', method: 'POST', works: true },
	previewFile: { group: 'agent', method: 'GET' },
	endUser: { group: 'agent', method: 'GET' },
	listVariables: { group: 'agent', method: 'GET' },
	setVariable: { group: 'agent', method: 'PUT' },
	listMessagesModels: { group: 'messages', method: 'GET' },
	countMessagesTokens: { group: 'messages', method: 'POST' },
	listContentModels: { group: 'content', method: 'GET' },
	countContentTokens: { group: 'content', method: 'POST' },
} as const satisfies Record<string, OperationRule>;

/** Name of an operation; methods of the client that stream share it with those that do not. */
export type Operation = keyof typeof operations;

/** One use of an operation, as data. Its limits are checked when the request is built (limits.ts). */
export interface Call {
	readonly operation: Operation;
	/** Value of `{id}` in the path, and its name in messages: a run, task, conversation, agent or model. */
	readonly id?: { readonly name: string; readonly value: string };
	/** Value of `{part}` in the path: what is named within that. */
	readonly part?: Call['id'];
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: Readonly<Record<string, unknown>>;
	/** Headers that this call alone has. */
	readonly headers?: Readonly<Record<string, string>>;
	/** A file to send with the fields of `body`, which is `multipart/form-data` then. */
	readonly file?: UploadSource;
	/** The answer is a stream of events. */
	readonly stream?: boolean;
}

/** A file to send: its name (the last part of its path, no folders) and its bytes. */
export interface UploadSource {
	readonly name: string;
	readonly data: Uint8Array;
	/** Media type, default `application/octet-stream`. */
	readonly type?: string;
}
