import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import { getEnvironmentValue } from '#runs/request/placeholders.ts';
import { type FilledRequest, refillSecrets, type Secrets } from '#runs/request/secrets.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { isWorkspaceTrusted } from '../../platform/trust.ts';
import { askSecret } from '../files/askSecret.ts';
import type { RunDocumentProvider } from './runDocumentProvider.ts';

/** How a run was started, besides its inputs. */
export interface RunStart {
	readonly request: Pick<WorkflowRunRequest, 'trigger' | 'mocks'>;
	readonly secrets: Secrets;
}

/** Reads the requests of past runs, so that they can be sent again. */
export class StoredRequests {
	readonly #documents: Pick<RunDocumentProvider, 'readRequest' | 'readSecretPlaces'>;

	constructor(documents: Pick<RunDocumentProvider, 'readRequest' | 'readSecretPlaces'>) {
		this.#documents = documents;
	}

	/** Returns the request of a run with placeholders instead of secrets, or `undefined` if it's no longer stored. */
	async findRequest(record: RunRecord): Promise<WorkflowRunRequest | undefined> {
		return (await this.#documents.readRequest(record)) as WorkflowRunRequest | undefined;
	}

	/** Like {@link findRequest}, but rejects if the request is no longer stored. */
	async getRequest(record: RunRecord): Promise<WorkflowRunRequest> {
		const request = await this.findRequest(record);
		if (!request) {
			throw new Problem('no-request', vscode.l10n.t("The request of this run of '{0}' is no longer stored.", record.agent));
		}
		return request;
	}

	/** Returns the placeholders in the request of a run that replace secrets. */
	getSecretPlaces(record: RunRecord): Promise<ReadonlySet<string>> {
		return this.#documents.readSecretPlaces(record);
	}

	/**
	 * Returns how a run was started, for a run that uses its values, and its secrets, so that they are masked in that run. Asks for secrets or
	 * reads them again. Rejects if the user cancels.
	 */
	async refillStart(record: RunRecord): Promise<RunStart> {
		const inputs = Object.fromEntries([...(await this.getSecretPlaces(record))].map(place => [place, place]));
		const { trigger, mocks } = (await this.findRequest(record)) ?? {};
		const start = { ...(trigger !== undefined && { trigger }), ...(mocks && { mocks }) };
		const { request, secrets } = await this.fillSecrets(
			{ model: record.agent, user: record.user, response_mode: 'streaming', inputs, ...start },
			record,
		);
		return { secrets, request: { ...start, ...(request.mocks && { mocks: request.mocks }) } };
	}

	/** Returns the request of a run with its secrets, after asking for them or reading them again. Rejects if the user cancels. */
	async refillRequest(record: RunRecord): Promise<FilledRequest> {
		return this.fillSecrets(await this.getRequest(record), record);
	}

	/**
	 * Replaces the placeholders in a request with their secrets. Rejects if the user cancels.
	 * @param last the run that the values come from; of the environment variables, only those that its placeholders name are read
	 */
	fillSecrets(request: WorkflowRunRequest, last: RunRecord | undefined): Promise<FilledRequest> {
		return refillSecrets(
			request,
			async name => {
				const answer = await askSecret(name);
				if (answer === undefined) {
					throw new vscode.CancellationError();
				}
				return answer;
			},
			async (name, place) =>
				last && (await this.getSecretPlaces(last)).has(place)
					? getEnvironmentValue(name, isWorkspaceTrusted() ? variable => process.env[variable] : undefined, vscode.l10n.t)
					: undefined,
		);
	}
}
