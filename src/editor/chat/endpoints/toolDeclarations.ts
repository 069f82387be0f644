import type { EndpointKind } from '#pages/chat/transcript/transcript.ts';

/** Endpoints that support tools. */
export type ToolEndpoint = Extract<EndpointKind, 'messages' | 'content' | 'chatCompletions'>;

/** A tool to declare in a request. `inputSchema` is a JSON schema. */
export interface DeclaredTool {
	readonly name: string;
	readonly description: string;
	readonly inputSchema?: object | undefined;
}

const noInputs = { type: 'object', properties: {} };

/** True if the endpoint supports tools. */
export function supportsTools(endpoint: EndpointKind): endpoint is ToolEndpoint {
	return endpoint === 'messages' || endpoint === 'content' || endpoint === 'chatCompletions';
}

/** Returns the `tools` field of a request that declares these tools. */
export function declareTools(endpoint: ToolEndpoint, tools: readonly DeclaredTool[]): unknown[] {
	switch (endpoint) {
		case 'messages':
			return tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema ?? noInputs }));
		case 'chatCompletions':
			return tools.map(({ name, description, inputSchema }) => ({
				type: 'function',
				function: { name, description, parameters: inputSchema ?? noInputs },
			}));
		case 'content':
			return [
				{
					functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
						name,
						description,
						parametersJsonSchema: inputSchema ?? noInputs,
					})),
				},
			];
	}
}

/** Returns the names of tools that a request's `tools` field already declares. */
export function readDeclaredNames(tools: unknown): Set<string> {
	const entries = Array.isArray(tools) ? tools.flatMap(each => [each, each?.function, ...[each?.functionDeclarations ?? []].flat()]) : [];
	return new Set(entries.flatMap(each => (typeof each?.name === 'string' ? [each.name] : [])));
}
