import * as vscode from 'vscode';
import type { PanelHead } from '#pages/chat/panel/panelProtocol.ts';
import { getPanelStrings } from '#pages/chat/panel/panelStrings.ts';
import { copyPartForPage } from '#pages/chat/transcript/chatChanges.ts';
import { getTurnText } from '#pages/chat/transcript/transcript.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { AppActions } from '../apps/appActions.ts';
import { AttachmentChecks } from '../attachments/attachmentChecks.ts';
import { getPartSize } from '../attachments/attachments.ts';
import { findMessageVariable, runsOncePerMessage } from '../endpoints/agentEndpoint.ts';
import type { AgentInstructions } from '../prompts/agentInstructions.ts';
import { getContinuation } from '../replies/continuation.ts';
import type { Replies } from '../replies/replies.ts';
import { findSettingProblems, getSettingFields, harmCategories, harmThresholds } from '../settingFields.ts';
import { getEndpointName } from '../targetPicks.ts';
import type { Targets } from '../targets.ts';
import { getToolsRefusal } from '../tools/pickTools.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { Openings } from './openings.ts';
import type { TokenGauge } from './tokenGauge.ts';

/** Maximum number of sent messages that the arrow keys can recall. */
const historyLength = 50;

interface PanelHeadsParts {
	readonly connections: Connections;
	readonly targets: Targets;
	readonly replies: Replies;
	readonly apps: AppActions;
	readonly openings: Openings;
	readonly gauge: TokenGauge;
	readonly instructions: AgentInstructions;
}

/** Creates the state of a panel other than the messages: target, settings, attachments and available actions. */
export class PanelHeads {
	readonly #parts: PanelHeadsParts;
	readonly #checks: AttachmentChecks;

	constructor(parts: PanelHeadsParts) {
		this.#parts = parts;
		this.#checks = new AttachmentChecks(chat => parts.replies.checkAttachments(chat));
	}

	getHead(chat: Chat): PanelHead {
		const { transcript } = chat;
		const { endpoint } = transcript;
		const settings = transcript.settings[endpoint] ?? {};
		const refusal = this.#checks.getRefusal(chat);
		const opening = this.#parts.openings.getOpening(chat);
		const asking = this.#getInputHints(chat);
		const tokens = this.#parts.gauge.getUsage(chat);
		const noTools = getToolsRefusal(transcript);
		const instructions = this.#parts.instructions.getState();
		const app = this.#parts.apps.getOffers(chat);
		return {
			chatId: transcript.id,
			title: transcript.title,
			endpoint,
			endpointName: getEndpointName(endpoint),
			choosesEndpoint: this.#choosesEndpoint(chat),
			connectionName: this.#parts.targets.getConnectionName(transcript),
			model: transcript.models[endpoint] ?? '',
			modelWord: endpoint === 'agent' ? vscode.l10n.t('Agent') : vscode.l10n.t('Model'),
			system: transcript.system,
			takesSystem: endpoint !== 'agent',
			...(instructions && { instructions }),
			settings,
			fields: getSettingFields(vscode.l10n, endpoint).filter(({ name }) => !(asking.inputs && name === 'inputs')),
			problems: findSettingProblems(vscode.l10n, endpoint, settings),
			attachments: transcript.attachments.map(({ id, part }) => ({ id, part: copyPartForPage(part), size: getPartSize(part) })),
			...(refusal && { refusal }),
			...asking,
			...(opening && { opening }),
			...(tokens && { tokens }),
			...(app && { app }),
			tools: { chosen: transcript.tools.length, ...(noTools !== undefined && { refused: noTools }) },
			busy: this.#parts.replies.isRunning(chat),
			continues: getContinuation(transcript) !== undefined,
			canSummarize: this.#parts.replies.canSummarize(chat),
			...this.#getNotice(chat),
		};
	}

	#choosesEndpoint({ transcript }: Chat): boolean {
		const connection = this.#parts.connections.get(transcript.connectionId || this.#parts.connections.getDefault().id);
		const endpoints = connection ? this.#parts.targets.listEndpoints(connection).filter(kind => kind !== 'agent') : [];
		return transcript.endpoint !== 'agent' && endpoints.length > 1;
	}

	getSnapshot(chat: Chat) {
		const configuration = vscode.workspace.getConfiguration('agentWorkbench.chat');
		const sendOn: 'enter' | 'ctrlEnter' = configuration.get('sendOn') === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
		const said = chat.transcript.turns.flatMap(turn => (turn.role === 'user' && getTurnText(turn) ? [getTurnText(turn)] : []));
		return {
			strings: getPanelStrings(vscode.l10n),
			preferences: { sendOn, harmCategories, harmThresholds },
			history: said.reverse().slice(0, historyLength),
		};
	}

	/** Returns the placeholder of the message box, and the agent's input form without the field that the message fills. */
	#getInputHints(chat: Chat): Pick<PanelHead, 'ask' | 'inputs'> {
		const { connectionId, endpoint, models, settings } = chat.transcript;
		if (endpoint !== 'agent' || !models.agent) {
			return { ask: vscode.l10n.t('Ask, @ to add context, / for commands') };
		}
		const agent = this.#parts.connections
			.getKnownAgents(connectionId || this.#parts.connections.getDefault().id)
			?.find(({ name }) => name === models.agent);
		const given = (settings.agent?.['inputs'] ?? {}) as Readonly<Record<string, unknown>>;
		const filled = agent && runsOncePerMessage(agent) ? findMessageVariable(agent, given)?.variable : undefined;
		const fields = this.#parts.openings.getInputFields(chat);
		const label = fields?.find(({ name }) => name === filled)?.label;
		return {
			ask:
				label === undefined
					? vscode.l10n.t("Message to '{0}'", models.agent)
					: vscode.l10n.t({
							message: "{0} for '{1}'",
							args: [label, models.agent],
							comment: ['{0}: label of an input that the message fills, {1}: name of the agent'],
						}),
			...(fields && { inputs: { id: `${connectionId}/${models.agent}`, fields: fields.filter(({ name }) => name !== filled) } }),
		};
	}

	#getNotice(chat: Chat): { notice?: string } {
		const { transcript } = chat;
		try {
			const connection = this.#parts.targets.getConnection(transcript);
			const fits = this.#parts.targets.listEndpoints(connection).includes(transcript.endpoint);
			return fits
				? {}
				: {
						notice: vscode.l10n.t(
							"'{0}' doesn't support the endpoint of this chat ({1}). Select another endpoint.",
							connection.name,
							getEndpointName(transcript.endpoint),
						),
					};
		} catch (error) {
			return error instanceof Error && error.name === 'Problem' ? { notice: error.message } : {};
		}
	}
}
