import * as vscode from 'vscode';
import { isCancellation, Problem } from '#base/problems.ts';
import type { EndpointRequest, ReplyStep, TextEndpoint } from '../../chat/endpoints/endpoint.ts';
import type { Targets } from '../../chat/targets.ts';
import type { Connection, Connections, PrepareAgent } from '../../connections/connectionTypes.ts';
import { agentInputs } from './agentInputs.ts';
import { type ChosenModel, idOfModel } from './chosenModel.ts';
import type { ChosenModels } from './chosenModels.ts';
import { modelError } from './modelErrors.ts';
import { ReplyParts } from './replyParts.ts';
import { requestSettings } from './requestSettings.ts';
import { turnsOfRequest } from './requestTurns.ts';
import { Signatures } from './signatures.ts';
import { tokensOfMessage, tokensOfText } from './tokenEstimate.ts';

interface ChatModelsParts {
	readonly connections: Connections;
	readonly targets: Pick<Targets, 'endpoint' | 'agent'>;
	/** Before an agent is asked. */
	readonly prepare: PrepareAgent;
	readonly chosen: Pick<ChosenModels, 'list'>;
}

/** A model as VS Code lists it. VS Code 1.120 hides those that do not say that users may pick them (microsoft/vscode#316687). */
interface ListedModel extends vscode.LanguageModelChatInformation {
	readonly isUserSelectable: true;
}

/** What is assumed of a model whose service does not tell: too little would have VS Code cut its prompts. */
const assumedInputTokens = 128_000;
const assumedOutputTokens = 8_192;

/** The chosen models and agents as VS Code asks for them. Listing them sends nothing: what is listed stands in the settings. */
export class ChatModels implements vscode.LanguageModelChatProvider<ListedModel> {
	readonly #parts: ChatModelsParts;
	readonly #signatures = new Signatures();

	constructor(parts: ChatModelsParts) {
		this.#parts = parts;
	}

	/** Models of connections that are gone are left out: they could only fail. */
	async provideLanguageModelChatInformation(..._asked: unknown[]): Promise<ListedModel[]> {
		const { connections, chosen } = this.#parts;
		return chosen.list().flatMap(model => {
			const connection = connections.get(model.connection);
			return connection ? [listed(model, connection)] : [];
		});
	}

	/** Rejects with a `LanguageModelError` where the service refuses, else with an error that says what it said. Cancelled, it ends once the service has let go. */
	async provideLanguageModelChatResponse(
		{ id, maxOutputTokens }: vscode.LanguageModelChatInformation,
		messages: readonly vscode.LanguageModelChatRequestMessage[],
		options: vscode.ProvideLanguageModelChatResponseOptions,
		progress: vscode.Progress<vscode.LanguageModelResponsePart>,
		token: vscode.CancellationToken,
	): Promise<void> {
		const { connections } = this.#parts;
		const model = this.#parts.chosen.list().find(each => idOfModel(each) === id);
		const connection = model && connections.get(model.connection);
		if (!connection) {
			throw vscode.LanguageModelError.NotFound(vscode.l10n.t('The model “{0}” is no longer chosen for VS Code’s chat.', id));
		}
		const abort = new AbortController();
		const listener = token.onCancellationRequested(() => abort.abort());
		if (token.isCancellationRequested) {
			abort.abort();
		}
		try {
			const { system, turns } = turnsOfRequest(messages, id, this.#signatures);
			const settings =
				model.endpoint === 'agent'
					? { inputs: model.inputs ?? {} }
					: requestSettings(model.endpoint, options, model.maxOutputTokens ?? maxOutputTokens);
			const request = { model: model.model, system, settings, turns, user: connection.user };
			const parts = new ReplyParts(progress, model.endpoint === 'messages', calls => this.#signatures.keep(id, calls));
			for await (const step of this.#steps(model, connection, request, abort.signal)) {
				parts.take(step);
			}
			parts.end();
		} catch (error) {
			if (token.isCancellationRequested && isCancellation(error)) {
				return;
			}
			throw modelError(connections.problem(connection.id, error));
		} finally {
			listener.dispose();
		}
	}

	/** An estimate: VS Code asks often, and for every message. */
	async provideTokenCount(_model: unknown, text: string | vscode.LanguageModelChatRequestMessage): Promise<number> {
		return typeof text === 'string' ? tokensOfText(text) : tokensOfMessage(text);
	}

	async *#steps(model: ChosenModel, connection: Connection, request: EndpointRequest, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const { connections, targets, prepare } = this.#parts;
		if (request.turns.at(-1)?.role !== 'user') {
			throw new Problem('invalid-request', vscode.l10n.t('There is no message to answer: the last one is the model’s own.'));
		}
		if (model.endpoint === 'agent') {
			agentInputs(await targets.agent(connection, model.model), model);
			await prepare(connection, model.model);
		}
		const client = await connections.client(connection.id);
		const endpoint: TextEndpoint = await targets.endpoint(model.endpoint, connection, model.model);
		signal.throwIfAborted();
		yield* endpoint.reply(client, request, signal);
	}
}

function listed(model: ChosenModel, connection: Connection): ListedModel {
	const { name = model.model, maxInputTokens = assumedInputTokens, maxOutputTokens = assumedOutputTokens } = model;
	const isAgent = model.endpoint === 'agent';
	const of = isAgent ? vscode.l10n.t('Agent of “{0}”', connection.name) : vscode.l10n.t('Model of “{0}”', connection.name);
	const untold = vscode.l10n.t('Its service does not tell how much it reads: {0} tokens are assumed.', assumedInputTokens);
	return {
		id: idOfModel(model),
		name,
		family: model.model,
		version: model.endpoint,
		detail: connection.name,
		tooltip: [of, ...(name === model.model ? [] : [model.model]), ...(isAgent || model.maxInputTokens ? [] : [untold])].join('\n'),
		maxInputTokens,
		maxOutputTokens,
		capabilities: { toolCalling: model.toolCalling ?? !isAgent, imageInput: model.imageInput ?? true },
		isUserSelectable: true,
	};
}
