/** Which assetdb the extension can work with. */

/** The oldest assetdb that has what the extension asks of it; a test holds it against `assetdb/version.py`. */
export const MINIMUM_VERSION = "0.1.0";

/** Whether the name on the package index is ours. Until then a wheel is installed that the user has, and nothing by name. */
export const IS_PUBLISHED = false as boolean;

/** What is installed by name where there is none. */
export const REQUIREMENT = `assetdb>=${MINIMUM_VERSION}`;

/** Return the version in what `assetdb --version` prints, or undefined where it is something else that is called so. */
export function versionIn(output: string): string | undefined {
  return /^assetdb (\d+(?:\.\d+)*[\w.+-]*)(?: \([^()\n]*\))?\s*$/.exec(output)?.[1]; // behind it: (pure Python)
}

/** Whether a version is as new as another; what stands behind the numbers (`rc1`, `.dev0`) does not count. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [numbers, wanted] = [version, minimum].map((text) =>
    (/^\d+(?:\.\d+)*/.exec(text)?.[0] ?? "").split(".").map(Number),
  ) as [number[], number[]];
  for (let place = 0; place < Math.max(numbers.length, wanted.length); place++) {
    const difference = (numbers[place] ?? 0) - (wanted[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
