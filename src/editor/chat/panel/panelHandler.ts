import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { isCancellation, messageOf } from '#base/problems.ts';
import type { AgentParameters } from '#contract/agents.ts';
import type { FromPanel } from '#pages/chat/panel/panelMessages.ts';
import type { PanelHead } from '#pages/chat/panel/panelProtocol.ts';
import { panelStrings } from '#pages/chat/panel/panelStrings.ts';
import { shownPart } from '#pages/chat/transcript/chatChanges.ts';
import { textOf } from '#pages/chat/transcript/transcript.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { chooseFormFiles } from '../../runs/forms/formFiles.ts';
import { AppActions } from '../apps/appActions.ts';
import { AttachmentChecks } from '../attachments/attachmentChecks.ts';
import { attachmentOfFile } from '../attachments/attachments.ts';
import { attachUris, findFiles, openPlace, pickFiles } from '../attachments/fileAttachments.ts';
import type { ChatHost } from '../chatHost.ts';
import { applyCode, insertCode, newFileWithCode } from '../code/codeActions.ts';
import { isWorkflow, messageVariable } from '../endpoints/agentEndpoint.ts';
import type { LastEditor } from '../lastEditor.ts';
import { continuationOf } from '../replies/continuation.ts';
import { waitingForm } from '../replies/formAnswers.ts';
import { runOfReply } from '../replies/runOfReply.ts';
import { harmCategories, harmThresholds, settingFields, settingProblems } from '../settingFields.ts';
import { endpointName, pickConnection, pickEndpoint, pickModel } from '../targetPicks.ts';
import { toolsRefused } from '../tools/pickTools.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { ChatPanel, PanelOwner } from './chatPanel.ts';
import { Openings } from './openings.ts';
import { openPath } from './openPath.ts';
import { loadImage } from './remoteImages.ts';
import { type ModelWindows, TokenGauge } from './tokenGauge.ts';

/** Most messages that the arrow keys go back through. */
const historyLength = 50;

/** What the panels' pages are served with. */
export interface PanelHandlerParts {
	readonly host: ChatHost;
	readonly connections: Connections;
	readonly editors: LastEditor;
	readonly log: vscode.LogOutputChannel;
}

/** Does what a panel's page asks for. */
export class PanelHandler implements PanelOwner {
	readonly #host: ChatHost;
	readonly #connections: Connections;
	readonly #log: vscode.LogOutputChannel;
	readonly #checks: AttachmentChecks;
	readonly #openings: Openings;
	readonly #gauge: TokenGauge;
	/** What users do around the messages of Dify's apps. */
	readonly apps: AppActions;

	readonly #editors: LastEditor;

	constructor({ host, connections, editors, log }: PanelHandlerParts) {
		this.#editors = editors;
		this.#host = host;
		this.#connections = connections;
		this.#log = log;
		this.#checks = new AttachmentChecks(chat => host.replies.refusal(chat));
		this.#openings = new Openings(chat => this.#parameters(chat));
		this.apps = new AppActions(connections, host.targets, this.#openings);
		this.#gauge = new TokenGauge(chat => this.#windows(chat));
	}

	head(chat: Chat): PanelHead {
		const { transcript } = chat;
		const { endpoint } = transcript;
		const settings = transcript.settings[endpoint] ?? {};
		const refusal = this.#checks.refusal(chat);
		const opening = this.#openings.of(chat);
		const asking = this.#asking(chat);
		const tokens = this.#gauge.of(chat);
		const noTools = toolsRefused(transcript);
		const app = this.apps.offers(chat);
		return {
			chatId: transcript.id,
			title: transcript.title,
			endpoint,
			endpointName: endpointName(endpoint),
			connectionName: this.#host.targets.connectionName(transcript),
			model: transcript.models[endpoint] ?? '',
			modelWord: endpoint === 'agent' ? vscode.l10n.t('Agent') : vscode.l10n.t('Model'),
			system: transcript.system,
			takesSystem: endpoint !== 'agent',
			settings,
			fields: settingFields(vscode.l10n, endpoint).filter(({ name }) => !(asking.inputs && name === 'inputs')),
			problems: settingProblems(vscode.l10n, endpoint, settings),
			attachments: transcript.attachments.map(({ id, part }) => ({ id, part: shownPart(part) })),
			...(refusal && { refusal }),
			...asking,
			...(opening && { opening }),
			...(tokens && { tokens }),
			...(app && { app }),
			tools: { chosen: transcript.tools.length, ...(noTools !== undefined && { refused: noTools }) },
			busy: this.#host.replies.isRunning(chat),
			continues: continuationOf(transcript) !== undefined,
			...this.#notice(chat),
		};
	}

	snapshot(chat: Chat) {
		const configuration = vscode.workspace.getConfiguration('agentWorkbench.chat');
		const sendOn: 'enter' | 'ctrlEnter' = configuration.get('sendOn') === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
		const said = chat.transcript.turns.flatMap(turn => (turn.role === 'user' && textOf(turn) ? [textOf(turn)] : []));
		return {
			strings: panelStrings(vscode.l10n),
			preferences: { sendOn, harmCategories, harmThresholds },
			history: said.reverse().slice(0, historyLength),
		};
	}

	/** Never rejects: what fails is told in the panel or as a message. */
	async handle(panel: ChatPanel, message: FromPanel): Promise<void> {
		this.#host.activate(panel);
		try {
			await this.#do(panel, message);
		} catch (error) {
			this.#log.error(`Chat, ${message.type}: ${messageOf(error)}`);
			panel.post({ type: 'notice', text: messageOf(error) });
		}
	}

	async #do(panel: ChatPanel, message: FromPanel): Promise<void> {
		const { chat } = panel;
		const { replies } = this.#host;
		switch (message.type) {
			case 'send':
				return this.#send(panel, message.text);
			case 'stop':
				return replies.stop(chat);
			case 'retry':
				return replies.retry(chat, message.turn);
			case 'continue':
				return replies.continue(chat, message.turn);
			case 'edit':
				return replies.edit(chat, message.turn, message.text);
			case 'branch':
				return chat.selectSibling(message.turn, message.offset);
			case 'toolResult':
				return replies.sendToolResults(chat, message.turn, message.results);
			case 'pick':
				return this.#pick(chat, message.what);
			case 'pickTools':
				return this.#host.pickTools(chat);
			case 'toolDecision':
				return replies.decide(chat, message.turn, message.index, message.decision);
			case 'system':
				return chat.update({ system: message.text });
			case 'setting':
				return this.#set(chat, message.name, message.value);
			case 'attachFiles':
				return pickFiles(chat, this.#host.documents);
			case 'attachUris':
				return attachUris(
					chat,
					this.#host.documents,
					message.uris.map(uri => vscode.Uri.parse(uri)),
				);
			case 'attachData':
				return this.#attachData(chat, message);
			case 'detach':
				return chat.update({ attachments: chat.transcript.attachments.filter(({ id }) => id !== message.id) });
			case 'mentions':
				return panel.post({ type: 'mentions', query: message.query, files: await findFiles(message.query) });
			case 'copy':
				return vscode.env.clipboard.writeText(message.text);
			case 'code':
				return this.#code(message);
			case 'loadImage':
				return panel.post({ type: 'image', url: message.url, ...(await loadImage(message.url)) });
			case 'openPath':
				return openPath(message.path);
			case 'openFile':
				return openPlace(vscode.Uri.parse(message.uri), message.lines);
			case 'answerForm':
				return this.#answerForm(panel, message);
			case 'chooseFormFiles':
				return this.#chooseFormFiles(panel, message);
			case 'chooseInputFiles':
				return this.#chooseInputFiles(panel, message);
			case 'inspectRun':
				return inspect(runOfReply(chat.turn(message.turn), this.#connections, vscode.l10n));
			case 'rate':
				return this.apps.rate(chat, message.turn, message.rating);
			case 'comment':
				return this.apps.comment(chat, message.turn);
			case 'speak':
				return this.#speak(panel, message.turn);
			case 'listen':
				return this.#listen(panel);
			case 'openStored':
				return this.apps.saveFile(chat, message.turn, message.id);
			case 'showStored':
				return this.apps.showPicture(chat, message.turn, message.id);
			case 'saveAnnotation':
				return this.#saveAnnotation(panel, message);
			case 'problemAction':
				return this.#mend(panel, message.turn, message.action);
		}
	}

	/** What cannot go where the chat points is not sent: the page gets it back. */
	async #send(panel: ChatPanel, text: string): Promise<void> {
		const { chat } = panel;
		const refusal = await this.#host.replies.refusal(chat);
		if (refusal) {
			panel.post({ type: 'refused', text, refusal });
		} else {
			this.#host.replies.send(chat, text);
		}
	}

	async #speak(panel: ChatPanel, turn: string): Promise<void> {
		try {
			panel.post({ type: 'spoken', turn, speech: await this.apps.speak(panel.chat, turn) });
		} catch (error) {
			panel.post({ type: 'spoken', turn });
			throw error;
		}
	}

	async #listen(panel: ChatPanel): Promise<void> {
		const text = await this.apps.listen(panel.chat);
		if (text !== undefined) {
			panel.post({ type: 'heard', text });
		}
	}

	async #saveAnnotation(panel: ChatPanel, { id, question, answer }: Extract<FromPanel, { type: 'saveAnnotation' }>): Promise<void> {
		try {
			await this.apps.saveAnnotation(panel.chat, id, { question, answer });
			panel.post({ type: 'annotationSaved' });
		} catch (error) {
			panel.post({ type: 'annotationSaved', problem: messageOf(error) });
		}
	}

	async #answerForm(panel: ChatPanel, { turn, form, action, values }: Extract<FromPanel, { type: 'answerForm' }>): Promise<void> {
		const refusal = await this.#withForm(panel, form, () => this.#host.replies.answerForm(panel.chat, turn, form, { action, values }));
		if (refusal) {
			panel.post({ type: 'formProblem', form, ...refusal });
		}
	}

	async #chooseFormFiles(panel: ChatPanel, { turn, form, field, from }: Extract<FromPanel, { type: 'chooseFormFiles' }>): Promise<void> {
		const files = await this.#withForm(panel, form, async () => {
			const waiting = waitingForm(panel.chat, turn, form, this.#connections, vscode.l10n);
			const wanted = waiting?.form.inputs.find(({ name }) => name === field);
			if (!waiting || !wanted) {
				return [];
			}
			const { connection, user, model } = waiting;
			return chooseFormFiles(wanted, from, async file => (await this.#connections.client(connection.id)).uploadFile(file, { user, model }));
		});
		if (files && files.length > 0) {
			panel.post({ type: 'formFiles', form, field, files });
		}
	}

	async #chooseInputFiles(panel: ChatPanel, { field: name, from }: Extract<FromPanel, { type: 'chooseInputFiles' }>): Promise<void> {
		const { transcript } = panel.chat;
		const field = this.#openings.fields(panel.chat)?.find(each => each.name === name);
		if (!field) {
			return;
		}
		const { id, user } = this.#host.targets.connection(transcript);
		try {
			const files = await chooseFormFiles(field, from, async file =>
				(await this.#connections.client(id)).uploadFile(file, { user, model: transcript.models.agent ?? '' }),
			);
			panel.post({ type: 'inputFiles', field: name, files });
		} catch (error) {
			throw this.#connections.problem(id, error);
		}
	}

	/** What the agent takes besides the message. Where that goes into one of its variables, this one need not be filled in. */
	/** The placeholder of the message box, and the form of the agent without the field that the message fills. */
	#asking(chat: Chat): Pick<PanelHead, 'ask' | 'inputs'> {
		const { connectionId, endpoint, models, settings } = chat.transcript;
		if (endpoint !== 'agent' || !models.agent) {
			return { ask: vscode.l10n.t('Ask anything, # for a file') };
		}
		const agent = this.#connections.knownAgents(connectionId || this.#connections.default().id)?.find(({ name }) => name === models.agent);
		const given = (settings.agent?.['inputs'] ?? {}) as Readonly<Record<string, unknown>>;
		const filled = agent && isWorkflow(agent) ? messageVariable(agent, given)?.variable : undefined;
		const fields = this.#openings.fields(chat);
		const label = fields?.find(({ name }) => name === filled)?.label;
		return {
			ask:
				label === undefined
					? vscode.l10n.t('Message for {0}', models.agent)
					: vscode.l10n.t({
							message: '{0} for {1}',
							args: [label, models.agent],
							comment: ['{0}: label of an input, {1}: name of the agent'],
						}),
			...(fields && { inputs: { id: `${connectionId}/${models.agent}`, fields: fields.filter(({ name }) => name !== filled) } }),
		};
	}

	/** What goes wrong is told where the form stands. */
	async #withForm<T>(panel: ChatPanel, form: string, act: () => Promise<T>): Promise<T | undefined> {
		try {
			return await act();
		} catch (error) {
			const problem = isCancellation(error) ? '' : messageOf(error);
			panel.post({ type: 'formProblem', form, problem, closed: false });
			return undefined;
		}
	}

	async #pick(chat: Chat, what: 'connection' | 'endpoint' | 'model'): Promise<void> {
		const pick = { connection: pickConnection, endpoint: pickEndpoint, model: pickModel }[what];
		await pick(chat, this.#connections, this.#host.targets);
		const last = chat.turn(chat.transcript.leaf ?? '');
		if (last?.reply?.problem?.reason === 'model-missing' && chat.transcript.models[chat.transcript.endpoint]) {
			// the message waited for nothing else
			this.#host.replies.retry(chat, last.id);
		}
	}

	#set(chat: Chat, name: string, value: unknown): void {
		const { endpoint, settings } = chat.transcript;
		const { [name]: _, ...others } = { ...settings[endpoint] };
		const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
		chat.update({ settings: { ...settings, [endpoint]: empty ? others : { ...others, [name]: value } } });
	}

	async #attachData(chat: Chat, { name, data }: { name: string; data: string }): Promise<void> {
		const attachment = await attachmentOfFile(vscode.l10n, this.#host.documents, name, Buffer.from(data, 'base64'));
		chat.update({ attachments: [...chat.transcript.attachments, attachment] });
	}

	#code({ action, language, text }: Extract<FromPanel, { type: 'code' }>): Promise<void> {
		switch (action) {
			case 'insert':
				return insertCode(this.#editors, text);
			case 'newFile':
				return newFileWithCode(text, language);
			case 'apply':
				return applyCode(this.#editors, this.#host.proposals, text);
		}
	}

	async #mend(panel: ChatPanel, turn: string, action: Extract<FromPanel, { type: 'problemAction' }>['action']): Promise<void> {
		const { chat } = panel;
		switch (action) {
			case 'retry':
				return this.#host.replies.retry(chat, turn);
			case 'pickModel':
			case 'pickConnection':
				return this.#pick(chat, action === 'pickModel' ? 'model' : 'connection');
			case 'openSettings':
				return panel.post({ type: 'openSettings' });
			case 'newConversation':
				return this.#host.replies.startConversation(chat, turn);
			case 'newChat':
				return this.#host.show(panel, this.#host.chats.create(chat.transcript));
			case 'showLog':
				return this.#log.show(true);
			case 'setKey':
			case 'replaceKey': {
				const { id } = this.#host.targets.connection(chat.transcript);
				await vscode.commands.executeCommand('agentWorkbench.connection.setKey', id);
			}
		}
	}

	/** What the chat's agent says of itself, where its service is there: a chat that is looked at starts none. */
	async #parameters({ transcript }: Chat): Promise<AgentParameters | undefined> {
		try {
			const { id } = this.#host.targets.connection(transcript);
			if (this.#connections.state(id).kind !== 'ready') {
				return undefined;
			}
			const client = await this.#connections.client(id, { ask: false });
			return await client.agentParameters({ model: transcript.models.agent ?? '' });
		} catch (error) {
			this.#log.debug(`Chat, what an agent begins with: ${messageOf(error)}`);
			return {};
		}
	}

	/** What the service of a chat tells of its models; that starts no gateway. */
	async #windows({ transcript }: Chat): Promise<ModelWindows | undefined> {
		try {
			const connection = this.#host.targets.connection(transcript);
			return connection.kind !== 'built-in' || this.#connections.state(connection.id).kind === 'ready'
				? await this.#host.targets.windows(transcript.endpoint, connection, { ask: false })
				: undefined;
		} catch (error) {
			this.#log.debug(`Chat, what models can read: ${messageOf(error)}`);
			return new Map();
		}
	}

	#notice(chat: Chat): { notice?: string } {
		const { transcript } = chat;
		try {
			const connection = this.#host.targets.connection(transcript);
			const fits = this.#host.targets.endpoints(connection).includes(transcript.endpoint);
			return fits
				? {}
				: { notice: vscode.l10n.t('"{0}" has nothing of the kind {1}. Pick another.', connection.name, endpointName(transcript.endpoint)) };
		} catch (error) {
			return error instanceof Error && error.name === 'Problem' ? { notice: error.message } : {};
		}
	}
}

async function inspect(run: ServiceRunReference | undefined): Promise<void> {
	if (run) {
		await vscode.commands.executeCommand('agentWorkbench.run.inspect' satisfies CommandId, run);
	}
}
