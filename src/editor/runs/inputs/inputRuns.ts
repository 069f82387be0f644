import path from 'node:path';
import * as vscode from 'vscode';
import { getErrorReason, Problem } from '#base/problems.ts';
import { getOwnField } from '#base/records/ownField.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { GivenInputs, InputsForm, InputsTarget } from '#pages/inputs/inputsMessages.ts';
import { createInputFields, readParameterVariables } from '#runs/forms/inputFields.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import { selectTrigger } from '#runs/request/agentTrigger.ts';
import type { FilledRequest } from '#runs/request/secrets.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { requireLiteralInputs } from '../files/literalInputs.ts';
import { saveRunFile } from '../files/newRunFile.ts';
import type { RunOrigin } from '../following/runControl.ts';
import type { DeploymentDrafts } from '../following/runServices.ts';
import type { StoredRequests } from '../following/storedRequests.ts';
import { type LocalFile, uploadLocalFile } from '../forms/formFiles.ts';

type InputsOrigin = Pick<RunOrigin, 'repeats' | 'secrets' | 'deployment'>;

export interface InputRunsParts {
	readonly connections: Connections;
	readonly runs: Runs;
	readonly requests: StoredRequests;
	/** Reads the agent in a file. Rejects if the file isn't a valid agent. */
	readonly describe: (file: vscode.Uri) => Promise<AgentSummary>;
	/** Reads a Dify app as an agent with the inputs of its draft. Rejects if the app isn't available. */
	readonly describeDraft: DeploymentDrafts['describeApp'];
	/** Runs a request until the run ends. If `agentFile` is set, runs the draft in that file. `started` is called with the run's key. */
	readonly run: (
		connection: Connection,
		request: WorkflowRunRequest,
		origin: InputsOrigin,
		agentFile: vscode.Uri | undefined,
		started: (key: string) => void,
	) => Promise<RunRecord>;
}

/** Provides the fields and the last inputs for input forms, starts runs of the forms, and saves them as run files. */
export class InputRuns {
	readonly #parts: InputRunsParts;

	constructor(parts: InputRunsParts) {
		this.#parts = parts;
	}

	/** Returns the form for the current version of an agent. Rejects with a message for the user. */
	async createForm(target: InputsTarget): Promise<InputsForm> {
		const connection = this.#getConnection(target);
		const { agentFile } = target;
		const { fields, description } = await this.#readFields(connection, target);
		const last = await this.#findLastRequest(target);
		return {
			target,
			where: agentFile === undefined || target.draft ? connection.name : vscode.workspace.asRelativePath(vscode.Uri.parse(agentFile)),
			description,
			fields,
			last: last?.request.inputs ?? {},
		};
	}

	/** Uploads local files, then runs the request until the run ends. `started` is called with the run's key. */
	async runForm(
		target: InputsTarget,
		fields: readonly FormField[],
		given: GivenInputs,
		started: (key: string) => void,
	): Promise<RunRecord> {
		const connection = this.#getConnection(target);
		const inputs = { ...given.values, ...(await this.#uploadFiles(connection, target, fields, given)) };
		const last = await this.#findLastRequest(target);
		const same = last !== undefined && JSON.stringify(sortEntries(last.request.inputs)) === JSON.stringify(sortEntries(inputs));
		// values of the last run contain placeholders for secrets
		const { request, secrets } = await this.#parts.requests.fillSecrets(
			{
				model: target.agent,
				inputs,
				response_mode: 'streaming',
				user: connection.user,
				...(target.trigger === undefined ? {} : { trigger: target.trigger }),
			},
			last?.record,
		);
		const file = target.agentFile === undefined ? undefined : vscode.Uri.parse(target.agentFile);
		const { draft, agentFile } = target;
		const origin = { secrets, ...(same ? { repeats: last.record.key } : {}), ...(draft ? { deployment: { draft, agentFile } } : {}) };
		return this.#parts.run(connection, request, origin, file, started);
	}

	/** Asks where to save the values as a run file, and opens the file. Rejects values that a run file can't contain. */
	async saveForm(target: InputsTarget, fields: readonly FormField[], { values, files }: GivenInputs): Promise<void> {
		const last = await this.#findLastRequest(target);
		requireLiteralInputs(values, last && (await this.#parts.requests.getSecretPlaces(last.record)));
		const folder = target.agentFile === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(target.agentFile));
		await saveRunFile(target.agent, folder, runFile => {
			const named = fields.flatMap(({ name, kind }): [string, unknown][] => {
				const entries = (getOwnField(files, name) ?? []).map(file =>
					'uri' in file ? { $file: createReference(file.uri, runFile) } : file.file,
				);
				return entries.length === 0 ? [] : [[name, kind === 'file' ? entries[0] : entries]];
			});
			return {
				model: target.agent,
				...(target.trigger === undefined ? {} : { trigger: target.trigger }),
				inputs: { ...values, ...Object.fromEntries(named) },
				response_mode: 'streaming',
			};
		});
	}

	#getConnection({ connectionId }: InputsTarget): Connection {
		const connection = this.#parts.connections.get(connectionId);
		if (!connection) {
			throw new Problem('unknown-connection', vscode.l10n.t('The connection of this form no longer exists.'));
		}
		return connection;
	}

	async #readFields(connection: Connection, target: InputsTarget) {
		const { agentFile, draft, agent } = target;
		if (draft) {
			const { variables, description } = await this.#parts.describeDraft(connection.id, draft, agent);
			return { fields: createInputFields(variables), description };
		}
		return agentFile === undefined ? this.#readPublishedFields(connection, target) : this.#readDraftFields(agentFile, target);
	}

	async #readDraftFields(agentFile: string, { trigger }: InputsTarget) {
		const agent = selectTrigger(await this.#parts.describe(vscode.Uri.parse(agentFile)), trigger);
		return { fields: createInputFields(agent.variables), description: agent.description };
	}

	/** Reads the inputs from the service's parameters endpoint, or else from its list of agents. A service may have neither. */
	async #readPublishedFields({ id, name: where }: Connection, { agent, trigger }: InputsTarget) {
		const summary = (await this.#parts.connections.listAgents(id).catch(() => [])).find(({ name }) => name === agent);
		const description = summary?.description ?? '';
		const listed = summary && selectTrigger(summary, trigger);
		const known = listed && listed.mode !== '' && listed.mode !== 'dify' ? listed.variables : undefined;
		const parameters = known && trigger !== undefined ? undefined : await this.#fetchParameters(id, agent);
		const variables: readonly AgentVariable[] | undefined = parameters?.variables ?? known;
		if (!variables) {
			const message = vscode.l10n.t("'{0}' doesn't report which inputs '{1}' has. Use a run file instead.", where, agent);
			throw new Problem('no-inputs', message);
		}
		return { fields: createInputFields(variables, parameters?.largest), description };
	}

	async #fetchParameters(connectionId: string, model: string) {
		const { connections } = this.#parts;
		const client = await connections.getClient(connectionId);
		try {
			return readParameterVariables(await client.getAgentParameters({ model }));
		} catch (error) {
			if (getErrorReason(error) === 'not-found') {
				return undefined;
			}
			throw connections.toProblem(connectionId, error);
		}
	}

	/** Returns the last request for the target, if it's still stored. */
	async #findLastRequest(target: InputsTarget): Promise<(Pick<FilledRequest, 'request'> & { readonly record: RunRecord }) | undefined> {
		const { runs, requests } = this.#parts;
		const record = runs.list({ connectionId: target.connectionId, agent: target.agent }).find(record => matchesTarget(record, target));
		const request = record && (await requests.findRequest(record));
		return request && request.trigger === target.trigger ? { record, request } : undefined;
	}

	async #uploadFiles(
		connection: Connection,
		{ agent }: InputsTarget,
		fields: readonly FormField[],
		{ files }: GivenInputs,
	): Promise<Record<string, unknown>> {
		const { connections } = this.#parts;
		const uploadField = async (field: FormField, file: LocalFile) =>
			(
				await uploadLocalFile(field, file, async source =>
					(await connections.getClient(connection.id)).uploadFile(source, { model: agent, user: connection.user }),
				)
			).file;
		try {
			const values = await Promise.all(
				fields.map(async (field): Promise<[string, unknown][]> => {
					const given = getOwnField(files, field.name) ?? [];
					const sent = await Promise.all(
						given.map(file => ('uri' in file ? uploadField(field, { ...file, uri: vscode.Uri.parse(file.uri) }) : file.file)),
					);
					return sent.length === 0 ? [] : [[field.name, field.kind === 'file' ? sent[0] : sent]];
				}),
			);
			return Object.fromEntries(values.flat());
		} catch (error) {
			throw connections.toProblem(connection.id, error);
		}
	}
}

/** True if a run is one of the form's target, which is a draft in Dify, a draft file, or a published agent. */
function matchesTarget({ draft, agentFile, deploymentDraft: there }: RunRecord, target: InputsTarget): boolean {
	return target.draft || there
		? there?.app === target.draft?.app && there?.node === undefined
		: (draft ? agentFile : undefined) === target.agentFile;
}

/** Returns the reference to a file from a run file in the same workspace folder. Throws for other files. */
function createReference(uri: string, runFile: vscode.Uri): string {
	const file = vscode.Uri.parse(uri);
	const folder = vscode.workspace.getWorkspaceFolder(runFile);
	const reference = path.posix.relative(path.posix.dirname(runFile.path), file.path);
	const isBeside = folder === undefined && !reference.startsWith('..');
	if (
		file.scheme !== runFile.scheme ||
		!(isBeside || (folder && vscode.workspace.getWorkspaceFolder(file)?.uri.toString() === folder.uri.toString()))
	) {
		const message = vscode.l10n.t(
			"'{0}' is outside the workspace folder of the run file. Copy it into that folder first.",
			path.posix.basename(file.path),
		);
		throw new Problem('outside-file', message);
	}
	return reference.startsWith('.') ? reference : `./${reference}`;
}

function sortEntries(inputs: Readonly<Record<string, unknown>>): [string, unknown][] {
	return Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1));
}
