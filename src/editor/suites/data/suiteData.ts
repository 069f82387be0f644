import { DisposableBase } from '#base/disposables.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { RunFileService } from '../../runs/files/runFileService.ts';
import type { RunReader } from '../../runs/following/runReader.ts';
import type { SuiteFiles } from '../suiteFiles.ts';
import { AddToDataset } from './addToDataset.ts';
import { CreateDataset } from './createDataset.ts';
import { ImportSuite } from './importSuite.ts';

/** Parts of the editor that {@link SuiteData} and its commands use. */
export interface SuiteDataParts {
	readonly files: Pick<SuiteFiles, 'findSuites' | 'readSuiteForDisplay'>;
	readonly connections: Connections;
	readonly runFiles: Pick<RunFileService, 'getConnection' | 'loadAgents'>;
	readonly reader: Pick<RunReader, 'choosePastRun' | 'listFinishedRuns' | 'findPastRun' | 'readEntries'>;
}

/** The commands that make suites and datasets from other data. In a bundle chunk that is loaded on first use. */
export class SuiteData extends DisposableBase {
	readonly #imports: ImportSuite;
	readonly #creation: CreateDataset;
	readonly #addition: AddToDataset;
	readonly #reader: SuiteDataParts['reader'];

	constructor(parts: SuiteDataParts) {
		super();
		this.#imports = this.register(new ImportSuite(parts.connections));
		this.#creation = new CreateDataset(parts);
		this.#addition = new AddToDataset(parts.files);
		this.#reader = parts.reader;
	}

	/** Returns the URI of the suite, or `undefined` if the user cancels. `argument` is the URI of the file to import. */
	importSuite(argument: unknown) {
		return this.#imports.importSuite(argument);
	}

	/** Returns the URI of the dataset, or `undefined` if the user doesn't save it. `argument` is an agent of the tree. */
	createDataset(argument: unknown) {
		return this.#creation.createDataset(argument);
	}

	/** Returns the URI of the dataset, or `undefined` if the user cancels. `argument` is a run. */
	async addRun(argument: unknown) {
		const run = await this.#reader.choosePastRun(argument);
		return run && this.#addition.addRun(run);
	}
}
