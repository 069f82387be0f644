import * as vscode from 'vscode';
import { isCancellation, Problem } from '#base/problems.ts';
import type { EndpointRequest, ReplyStep, TextEndpoint } from '../../chat/endpoints/endpoint.ts';
import type { Targets } from '../../chat/targets.ts';
import type { Connection, Connections, PrepareAgent } from '../../connections/connectionTypes.ts';
import { checkAgentInputs } from './agentInputs.ts';
import { type ChosenModel, getModelId } from './chosenModel.ts';
import type { ChosenModels } from './chosenModels.ts';
import { toModelError } from './modelErrors.ts';
import { ReplyParts } from './replyParts.ts';
import { createRequestSettings } from './requestSettings.ts';
import { convertRequest } from './requestTurns.ts';
import { Signatures } from './signatures.ts';
import { estimateMessageTokens, estimateTextTokens } from './tokenEstimate.ts';

interface ChatModelsParts {
	readonly connections: Connections;
	readonly targets: Pick<Targets, 'createEndpoint' | 'findAgent'>;
	/** Runs before each request to an agent. */
	readonly prepare: PrepareAgent;
	readonly chosen: Pick<ChosenModels, 'listModels'>;
}

/** A model as VS Code lists it. VS Code 1.120 hides models without `isUserSelectable`. */
interface ListedModel extends vscode.LanguageModelChatInformation {
	readonly isUserSelectable: true;
}

/** Token limits to assume if they are unknown. If they were lower, VS Code would cut its prompts. */
const assumedInputTokens = 128_000;
const assumedOutputTokens = 8_192;

/** Provides the chosen models and agents to VS Code. Listing them sends no requests, because the settings have all the details. */
export class ChatModels implements vscode.LanguageModelChatProvider<ListedModel> {
	readonly #parts: ChatModelsParts;
	readonly #signatures = new Signatures();

	constructor(parts: ChatModelsParts) {
		this.#parts = parts;
	}

	/** Lists the chosen models, except those of removed connections. */
	async provideLanguageModelChatInformation(..._asked: unknown[]): Promise<ListedModel[]> {
		const { connections, chosen } = this.#parts;
		return chosen.listModels().flatMap(model => {
			const connection = connections.get(model.connection);
			return connection ? [toListedModel(model, connection)] : [];
		});
	}

	/**
	 * Sends a request and reports the parts of the reply. Rejects with the errors of {@link toModelError}. After cancellation, settles when
	 * the request has ended.
	 */
	async provideLanguageModelChatResponse(
		{ id, maxOutputTokens }: vscode.LanguageModelChatInformation,
		messages: readonly vscode.LanguageModelChatRequestMessage[],
		options: vscode.ProvideLanguageModelChatResponseOptions,
		progress: vscode.Progress<vscode.LanguageModelResponsePart>,
		token: vscode.CancellationToken,
	): Promise<void> {
		const { connections } = this.#parts;
		const model = this.#parts.chosen.listModels().find(each => getModelId(each) === id);
		const connection = model && connections.get(model.connection);
		if (!connection) {
			throw vscode.LanguageModelError.NotFound(vscode.l10n.t("Model '{0}' is no longer selected for VS Code's chat.", id));
		}
		const abort = new AbortController();
		const listener = token.onCancellationRequested(() => abort.abort());
		if (token.isCancellationRequested) {
			abort.abort();
		}
		try {
			const { system, turns } = convertRequest(messages, id, this.#signatures);
			const settings =
				model.endpoint === 'agent'
					? { inputs: model.inputs ?? {} }
					: createRequestSettings(model.endpoint, options, model.maxOutputTokens ?? maxOutputTokens);
			const request = { model: model.model, system, settings, turns, user: connection.user };
			const parts = new ReplyParts(progress, model.endpoint === 'messages', calls => this.#signatures.saveCalls(id, calls));
			for await (const step of this.#streamReplySteps(model, connection, request, abort.signal)) {
				parts.handleStep(step);
			}
			parts.finishReply();
		} catch (error) {
			if (token.isCancellationRequested && isCancellation(error)) {
				return;
			}
			throw toModelError(connections.toProblem(connection.id, error));
		} finally {
			listener.dispose();
		}
	}

	/** Only estimates the count, because VS Code requests it often and for every message. */
	async provideTokenCount(_model: unknown, text: string | vscode.LanguageModelChatRequestMessage): Promise<number> {
		return typeof text === 'string' ? estimateTextTokens(text) : estimateMessageTokens(text);
	}

	async *#streamReplySteps(
		model: ChosenModel,
		connection: Connection,
		request: EndpointRequest,
		signal: AbortSignal,
	): AsyncIterable<ReplyStep> {
		const { connections, targets, prepare } = this.#parts;
		if (request.turns.at(-1)?.role !== 'user') {
			throw new Problem('invalid-request', vscode.l10n.t('The last message must be from the user.'));
		}
		if (model.endpoint === 'agent') {
			checkAgentInputs(await targets.findAgent(connection, model.model), model);
			await prepare(connection, model.model);
		}
		const client = await connections.getClient(connection.id);
		const endpoint: TextEndpoint = await targets.createEndpoint(model.endpoint, connection, model.model);
		signal.throwIfAborted();
		yield* endpoint.streamReply(client, request, signal);
	}
}

function toListedModel(model: ChosenModel, connection: Connection): ListedModel {
	const { name = model.model, maxInputTokens = assumedInputTokens, maxOutputTokens = assumedOutputTokens } = model;
	const isAgent = model.endpoint === 'agent';
	const of = isAgent ? vscode.l10n.t("Agent on '{0}'", connection.name) : vscode.l10n.t("Model on '{0}'", connection.name);
	const assumed = vscode.l10n.t("Assumes a context window of {0} tokens because the service doesn't report its size.", assumedInputTokens);
	return {
		id: getModelId(model),
		name,
		family: model.model,
		version: model.endpoint,
		detail: connection.name,
		tooltip: [of, ...(name === model.model ? [] : [model.model]), ...(isAgent || model.maxInputTokens ? [] : [assumed])].join('\n'),
		maxInputTokens,
		maxOutputTokens,
		capabilities: { toolCalling: model.toolCalling ?? !isAgent, imageInput: model.imageInput ?? true },
		isUserSelectable: true,
	};
}
