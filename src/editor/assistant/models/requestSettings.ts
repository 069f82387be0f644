import * as vscode from 'vscode';
import type { EndpointSettings } from '#pages/chat/transcript/transcript.ts';
import { declareTools, type ToolEndpoint } from '../../chat/endpoints/toolDeclarations.ts';
import type { ChosenEndpoint } from './chosenModel.ts';

type Options = Pick<vscode.ProvideLanguageModelChatResponseOptions, 'modelOptions' | 'tools' | 'toolMode'>;

/** Gemini's names for options that callers send under the names of other services. */
const contentNames: Readonly<Record<string, string>> = {
	max_tokens: 'maxOutputTokens',
	top_p: 'topP',
	top_k: 'topK',
	stop: 'stopSequences',
	stop_sequences: 'stopSequences',
};
const messagesNames: Readonly<Record<string, string>> = { stop: 'stop_sequences' };

/**
 * Converts the options of a VS Code request to the endpoint's settings. `maxOutputTokens` is the default if the endpoint requires a limit.
 */
export function createRequestSettings(
	endpoint: Exclude<ChosenEndpoint, 'agent'>,
	options: Options,
	maxOutputTokens: number,
): EndpointSettings {
	switch (endpoint) {
		case 'messages':
			return {
				max_tokens: maxOutputTokens,
				...limitTemperature(toModelOptions(options, messagesNames)),
				...createToolSettings(endpoint, options, { tool_choice: { type: 'any' } }),
			};
		case 'chatCompletions':
			return { ...toModelOptions(options, {}), ...createToolSettings(endpoint, options, { tool_choice: 'required' }) };
		case 'content':
			return {
				...toModelOptions(options, contentNames),
				...createToolSettings(endpoint, options, { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
			};
	}
}

/** Converts the caller's options. Drops VS Code's internal options, which start with `_`. */
function toModelOptions({ modelOptions: given = {} }: Options, names: Readonly<Record<string, string>>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(given)
			.filter(([name, value]) => !name.startsWith('_') && value !== undefined && value !== null)
			.map(([name, value]) => [
				names[name] ?? name,
				names[name] !== undefined && names[name] === names['stop'] && typeof value === 'string' ? [value] : value,
			]),
	);
}

/** Limits the temperature to 1, the maximum of the Anthropic protocol. Other protocols accept up to 2. */
function limitTemperature(settings: Record<string, unknown>): Record<string, unknown> {
	const { temperature } = settings;
	return typeof temperature === 'number' ? { ...settings, temperature: Math.min(1, temperature) } : settings;
}

/** Returns the `tools` field and, if the caller requires a tool call, the field that says so. */
function createToolSettings(endpoint: ToolEndpoint, { tools = [], toolMode }: Options, required: EndpointSettings): EndpointSettings {
	return tools.length === 0 ? {} : { tools: declareTools(endpoint, tools), ...(isToolCallRequired(toolMode) && required) };
}

function isToolCallRequired(mode: vscode.LanguageModelChatToolMode): boolean {
	return mode === vscode.LanguageModelChatToolMode.Required;
}
