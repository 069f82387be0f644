import type { DifyHandlers } from '../../common/commandIds.ts';
import { DisposableBase } from '../../common/disposables.ts';
import type { DifyFeatureParts } from '../dify.ts';
import type { AppLinks, DifyDeployments } from '../difyTypes.ts';

/** What running drafts works with. */
export interface DraftActionParts extends DifyFeatureParts {
	readonly deployments: DifyDeployments;
	readonly links: AppLinks;
}

/** Drafts that run on their deployment, and what ran there. */
export class DraftActions extends DisposableBase {
	readonly handlers: DifyHandlers = {};
	readonly #parts: DraftActionParts;

	constructor(parts: DraftActionParts) {
		super();
		this.#parts = parts;
		void this.#parts;
	}
}
