import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import { environmentValue } from '#runs/request/placeholders.ts';
import { type FilledRequest, refilled } from '#runs/request/secrets.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { isTrusted } from '../../platform/trust.ts';
import { askSecret } from '../files/askSecret.ts';
import type { RunDocumentProvider } from './runDocumentProvider.ts';

/** What was sent for past runs, to be sent again. */
export class KeptRequests {
	readonly #documents: Pick<RunDocumentProvider, 'request' | 'secretPlaces'>;

	constructor(documents: Pick<RunDocumentProvider, 'request' | 'secretPlaces'>) {
		this.#documents = documents;
	}

	/** The request of a run, with placeholders in the place of its secrets; `undefined` where it is no longer kept. */
	async find(record: RunRecord): Promise<WorkflowRunRequest | undefined> {
		return (await this.#documents.request(record)) as WorkflowRunRequest | undefined;
	}

	/** As {@link find}; rejects where it is no longer kept. */
	async of(record: RunRecord): Promise<WorkflowRunRequest> {
		const request = await this.find(record);
		if (!request) {
			throw new Problem('no-request', vscode.l10n.t('What was sent for this run of {0} is no longer kept.', record.agent));
		}
		return request;
	}

	/** Placeholders in the request of a run that stand for secrets. */
	secretPlaces(record: RunRecord): Promise<ReadonlySet<string>> {
		return this.#documents.secretPlaces(record);
	}

	/** The request of a run as it can be sent: asks for its secrets again, or reads them again; rejects if the user backs out. */
	async refilled(record: RunRecord): Promise<FilledRequest> {
		return this.filled(await this.of(record), record);
	}

	/**
	 * A request with placeholders in the place of its secrets, as it can be sent; rejects if the user backs out of one.
	 * @param last the run whose values are in it: only its placeholders of environment variables are read
	 */
	filled(request: WorkflowRunRequest, last: RunRecord | undefined): Promise<FilledRequest> {
		return refilled(
			request,
			async name => {
				const answer = await askSecret(name);
				if (answer === undefined) {
					throw new vscode.CancellationError();
				}
				return answer;
			},
			async (name, place) =>
				last && (await this.secretPlaces(last)).has(place)
					? environmentValue(name, isTrusted() ? variable => process.env[variable] : undefined, vscode.l10n.t)
					: undefined,
		);
	}
}
