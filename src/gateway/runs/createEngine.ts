import { readFile } from 'node:fs/promises';
import type { GatewayConfig } from '../config.ts';
import { CodeRunner } from '../engine/code/codeRunner.ts';
import type { EngineFiles, TextModels } from '../engine/engineTypes.ts';
import type { UploadStore } from '../store/uploadStore.ts';
import { Engine } from './engine.ts';

/** Puts the engine together: nodes get their text from `models` and their files from `uploads`. */
export function createEngine(config: GatewayConfig['engine'], models: TextModels, uploads: UploadStore): Engine {
	return new Engine({
		models,
		settings: {
			allowPrivateNetwork: config.allow_private_network ?? false,
			...(config.python !== undefined && { python: config.python }),
		},
		code: new CodeRunner(),
		files: uploadedFiles(uploads),
	});
}

function uploadedFiles(uploads: UploadStore): EngineFiles {
	return {
		describe(id) {
			const upload = uploads.get(id);
			return upload && { name: upload.name, mimeType: upload.mime_type, size: upload.size };
		},
		async read(id, signal) {
			if (!uploads.get(id)) {
				throw new Error('There is no uploaded file of this ID');
			}
			return readFile(uploads.path(id), { signal });
		},
	};
}
