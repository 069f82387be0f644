import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { Problem } from '#base/problems.ts';
import { limitReasons } from '#pages/chat/transcript/limitReasons.ts';
import type { PromptColumn, PromptMessage, PromptState } from '#pages/prompt/promptMessages.ts';
import { fillReferences, splitReferences } from '#pages/prompt/promptText.ts';
import type { ChatEndpoint } from '#suites/suite.ts';
import { createCompletionsBody } from '../chat/endpoints/completionsEndpoint.ts';
import { createContentBody } from '../chat/endpoints/contentEndpoint.ts';
import type { EndpointRequest } from '../chat/endpoints/endpoint.ts';
import { createMessagesBody } from '../chat/endpoints/messagesBody.ts';
import type { NewCase } from '../suites/editing/runCase.ts';
import { toEndpointSettings } from './promptParameters.ts';
import { createPromptTurns, toTurns } from './promptRequest.ts';

const createBody: Readonly<Record<ChatEndpoint, (request: EndpointRequest) => object>> = {
	messages: createMessagesBody,
	content: createContentBody,
	completions: createCompletionsBody,
};

/** Adds a column's answer to a suite as a test case: the same request must get a similar answer. */
export async function addAnswerToSuite(column: PromptColumn, state: PromptState): Promise<void> {
	if (!column.answer?.text) {
		throw new Problem('no-answer', vscode.l10n.t('There is no answer yet. Run the prompt first.'));
	}
	const { status, finish } = column.answer.reply;
	if (status !== 'done' || (finish && limitReasons.has(finish.reason))) {
		// a test case would expect a part of an answer
		throw new Problem('no-answer', vscode.l10n.t("The answer isn't complete. Run the prompt again, or wait until it's finished."));
	}
	await vscode.commands.executeCommand('agentWorkbench.suite.addRun' satisfies CommandId, createPromptCase(column, state));
}

/** Creates the test case of a column's answer. */
export function createPromptCase({ endpoint, model, answer }: PromptColumn, { prompt }: PromptState): NewCase {
	const expect = [{ status: 'succeeded' }];
	const similar = { similar: { to: answer?.text ?? '' } };
	if (endpoint === 'agent') {
		const { turns } = createPromptTurns(prompt);
		const [part] = turns.at(-1)?.parts ?? [];
		const query = part?.kind === 'text' ? part.text : '';
		return { name: query, target: { model }, fields: { query, expect: [...expect, { output: 'answer', ...similar }] } };
	}
	if (endpoint === 'chatCompletions') {
		const message = vscode.l10n.t("Suites can't send requests to OpenAI-compatible services. Use the model through the built-in gateway.");
		throw new Problem('no-suite', message);
	}
	const { messages, inputs } = createTemplate(prompt.messages, prompt.variables);
	const settings = toEndpointSettings(endpoint, prompt.parameters);
	const {
		model: _model,
		stream: _stream,
		...body
	} = createBody[endpoint]({ model, settings, user: '', ...toTurns(messages) }) as Record<string, unknown>;
	const [name = ''] = Object.values(inputs);
	return {
		name,
		target: { chat: { endpoint, model, ...body } },
		fields: { inputs, expect: [...expect, { output: 'text', ...similar }] },
	};
}

/**
 * Replaces references by placeholders of suites, and returns their values as inputs. A prompt without references gets one for its last
 * message, so that cases of the suite can have other messages.
 */
function createTemplate(
	messages: readonly PromptMessage[],
	variables: PromptState['prompt']['variables'],
): { readonly messages: readonly Pick<PromptMessage, 'role' | 'text'>[]; readonly inputs: Readonly<Record<string, string>> } {
	const inputs = new Map<string, string>();
	const addInput = (wanted: string, value: string): string => {
		let name = wanted;
		for (let n = 2; inputs.has(name) && inputs.get(name) !== value; n++) {
			name = `${wanted}_${n}`;
		}
		inputs.set(name, value);
		return `{{${name}}}`;
	};
	const getValue = (name: string) => fillReferences(`{{#${name}#}}`, variables);
	const written = messages.map(({ role, text, fixed }) => {
		const pieces = fixed ? [{ text }] : splitReferences(text);
		// other text in braces would be taken for a placeholder
		return pieces.some(piece => 'text' in piece && piece.text.includes('{{'))
			? { role, text: addInput('message', fixed ? text : fillReferences(text, variables)) }
			: {
					role,
					text: pieces
						.map(piece => ('text' in piece ? piece.text : addInput(piece.name.split('.').at(-1) ?? piece.name, getValue(piece.name))))
						.join(''),
				};
	});
	const last = inputs.size === 0 ? written.findLast(({ role }) => role === 'user') : undefined;
	return {
		messages: last ? written.map(each => (each === last ? { ...each, text: addInput('message', last.text) } : each)) : written,
		inputs: Object.fromEntries(inputs),
	};
}
