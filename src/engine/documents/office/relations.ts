import { NodeError } from '../../nodes/nodeError.ts';
import { type Archive, resolveArchivePath } from './archive.ts';
import { getPrefixedAttribute, readXml } from './xmlEvents.ts';

/** Returns the relations of a part of an Office document: paths of other parts by relation ID. */
function readRelations(archive: Archive, part: string): ReadonlyMap<string, string> {
	const file = part.replace(/(?<![^/])[^/]*$/, name => `_rels/${name}.rels`);
	const paths = new Map<string, string>();
	readXml(archive.readFile(file), {
		openElement(name, attributes) {
			const { Id, Target } = attributes;
			if (name === 'Relationship' && Id && Target && attributes['TargetMode'] !== 'External') {
				paths.set(Id, resolveArchivePath(part, Target));
			}
		},
	});
	return paths;
}

/** Returns the parts that a list in a part refers to, in order: the sheets of a workbook or the slides of a presentation. */
export function findListedParts(
	archive: Archive,
	part: string,
	element: string,
): readonly { readonly name: string; readonly path: string }[] {
	const paths = readRelations(archive, part);
	const listed: { name: string; path: string }[] = [];
	readXml(archive.readFile(part), {
		openElement(name, attributes) {
			const id = getPrefixedAttribute(attributes, 'id');
			// lists of sections name slides again, by numbers
			if (name !== element || id === undefined) {
				return;
			}
			const path = paths.get(id);
			if (path === undefined) {
				throw new NodeError(`The document is damaged: ${part} refers to '${id.slice(0, 60)}', which is missing`, 'TextExtractionError');
			}
			listed.push({ name: attributes['name'] ?? '', path });
		},
	});
	return listed;
}
