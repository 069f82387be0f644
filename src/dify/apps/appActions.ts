import type { DifyHandlers } from '../../common/commandIds.ts';
import { DisposableBase } from '../../common/disposables.ts';
import type { DifyFeatureParts } from '../dify.ts';
import type { DifyDeployments } from '../difyTypes.ts';
import type { LinkedApps } from './linkedApps.ts';

/** What the actions on apps work with. */
export interface AppActionParts extends DifyFeatureParts {
	readonly deployments: DifyDeployments;
	readonly links: LinkedApps;
	/** Folder of what was in deployments before a push; it need not be there. */
	readonly backups: string;
}

/** Apps become agent files, and agent files apps. */
export class AppActions extends DisposableBase {
	readonly handlers: DifyHandlers = {};
	readonly #parts: AppActionParts;

	constructor(parts: AppActionParts) {
		super();
		this.#parts = parts;
		void this.#parts;
	}
}
