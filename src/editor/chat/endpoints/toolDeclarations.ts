import type { EndpointKind } from '#pages/chat/transcript/transcript.ts';

/** Endpoints whose requests can carry tools. */
export type ToolEndpoint = Extract<EndpointKind, 'messages' | 'content' | 'chatCompletions'>;

/** A tool as a request declares it; `inputSchema` is a JSON schema. */
export interface DeclaredTool {
	readonly name: string;
	readonly description: string;
	readonly inputSchema?: object | undefined;
}

const noInputs = { type: 'object', properties: {} };

/** Whether requests to the endpoint can carry tools. */
export function takesTools(endpoint: EndpointKind): endpoint is ToolEndpoint {
	return endpoint === 'messages' || endpoint === 'content' || endpoint === 'chatCompletions';
}

/** The field `tools` of a request that declares these. */
export function toolDeclarations(endpoint: ToolEndpoint, tools: readonly DeclaredTool[]): unknown[] {
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

/** Names that the field `tools` of a request declares already. */
export function declaredNames(tools: unknown): Set<string> {
	const entries = Array.isArray(tools) ? tools.flatMap(each => [each, each?.function, ...[each?.functionDeclarations ?? []].flat()]) : [];
	return new Set(entries.flatMap(each => (typeof each?.name === 'string' ? [each.name] : [])));
}
