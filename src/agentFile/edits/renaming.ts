import { namePlaces } from '../names/agentNames.ts';
import { fixedName, refusedName, renaming } from '../names/renaming.ts';
import type { TextChange } from '../writing/textChanges.ts';
import { type EditedFile, Refused } from './editedFile.ts';

/** Gives a node another ID, wherever it is named. */
export function rename(file: EditedFile, id: string, wanted: string): readonly TextChange[] {
	file.node(id);
	const places = namePlaces(file.read);
	const name = { scope: id, offset: 0, length: 0, declares: true, plain: true };
	const refused = id === wanted ? undefined : (fixedName(places, name, file.words) ?? refusedName(places, name, wanted, file.words));
	if (refused !== undefined) {
		throw new Refused(refused);
	}
	return id === wanted ? [] : renaming(places, name, wanted);
}
