import * as vscode from 'vscode';
import type { EndpointSettings } from '#pages/chat/transcript/transcript.ts';
import { type ToolEndpoint, toolDeclarations } from '../../chat/endpoints/toolDeclarations.ts';
import type { ChosenEndpoint } from './chosenModel.ts';

type Options = Pick<vscode.ProvideLanguageModelChatResponseOptions, 'modelOptions' | 'tools' | 'toolMode'>;

/** How E calls what whoever asks through VS Code calls by the names of other services. */
const contentNames: Readonly<Record<string, string>> = {
	max_tokens: 'maxOutputTokens',
	top_p: 'topP',
	top_k: 'topK',
	stop: 'stopSequences',
	stop_sequences: 'stopSequences',
};
const messagesNames: Readonly<Record<string, string>> = { stop: 'stop_sequences' };

/**
 * What VS Code's request says beside its messages, as the endpoint takes it. `maxOutputTokens`: where the request names no other number, and the endpoint
 * wants one.
 */
export function requestSettings(endpoint: Exclude<ChosenEndpoint, 'agent'>, options: Options, maxOutputTokens: number): EndpointSettings {
	switch (endpoint) {
		case 'messages':
			return {
				max_tokens: maxOutputTokens,
				...atMostOne(modelOptions(options, messagesNames)),
				...toolsOf(endpoint, options, { tool_choice: { type: 'any' } }),
			};
		case 'chatCompletions':
			return { ...modelOptions(options, {}), ...toolsOf(endpoint, options, { tool_choice: 'required' }) };
		case 'content':
			return {
				...modelOptions(options, contentNames),
				...toolsOf(endpoint, options, { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
			};
	}
}

/** Options of the caller; those that begin with `_` are VS Code's own. */
function modelOptions({ modelOptions: given = {} }: Options, names: Readonly<Record<string, string>>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(given)
			.filter(([name, value]) => !name.startsWith('_') && value !== undefined && value !== null)
			.map(([name, value]) => [
				names[name] ?? name,
				names[name] !== undefined && names[name] === names['stop'] && typeof value === 'string' ? [value] : value,
			]),
	);
}

/** C refuses a temperature over 1, which others take to 2. */
function atMostOne(settings: Record<string, unknown>): Record<string, unknown> {
	const { temperature } = settings;
	return typeof temperature === 'number' ? { ...settings, temperature: Math.min(1, temperature) } : settings;
}

/** The tools, and what says that one of them has to be called. */
function toolsOf(endpoint: ToolEndpoint, { tools = [], toolMode }: Options, required: EndpointSettings): EndpointSettings {
	return tools.length === 0 ? {} : { tools: toolDeclarations(endpoint, tools), ...(isRequired(toolMode) && required) };
}

function isRequired(mode: vscode.LanguageModelChatToolMode): boolean {
	return mode === vscode.LanguageModelChatToolMode.Required;
}
