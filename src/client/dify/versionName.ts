import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceError } from '../errors/serviceError.ts';

const limits = { name: 20, comment: 100 } as const;

/** Throws `invalid-request` if a version's name or comment exceeds Dify's limits of 20 and 100 characters. */
export function checkVersionName(version: { readonly name: string; readonly comment: string }): void {
	for (const field of ['name', 'comment'] as const) {
		const length = [...version[field]].length;
		if (length > limits[field]) {
			const message =
				field === 'name'
					? localizable`The version name has ${length} characters. Dify allows at most ${limits.name}.`
					: localizable`The version comment has ${length} characters. Dify allows at most ${limits.comment}.`;
			throw new ServiceError('invalid-request', message, { field });
		}
	}
}
