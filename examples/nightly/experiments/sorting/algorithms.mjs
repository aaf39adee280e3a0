/** In place; the middle of three as pivot, so that sorted input is no worst case. */
export function quickSort(values, low = 0, high = values.length - 1) {
  while (low < high) {
    const pivot = middleOfThree(values[low], values[(low + high) >> 1], values[high]);
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left] < pivot) left++;
      while (values[right] > pivot) right--;
      if (left <= right) swap(values, left++, right--);
    }
    // The smaller part by recursion, the larger by the loop: the stack stays logarithmic.
    if (right - low < high - left) {
      quickSort(values, low, right);
      low = left;
    } else {
      quickSort(values, left, high);
      high = right;
    }
  }
  return values;
}

/** Bottom-up, with one second array. */
export function mergeSort(values) {
  let from = values;
  let to = new Float64Array(values.length);
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) merge(from, to, start, width);
    [from, to] = [to, from];
  }
  return from;
}

export function heapSort(values) {
  for (let root = (values.length >> 1) - 1; root >= 0; root--) siftDown(values, root, values.length);
  for (let end = values.length - 1; end > 0; end--) {
    swap(values, 0, end);
    siftDown(values, 0, end);
  }
  return values;
}

function merge(from, to, start, width) {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    to[at] = left < middle && (right >= end || from[left] <= from[right]) ? from[left++] : from[right++];
  }
}

function siftDown(values, start, end) {
  let root = start;
  for (let child = 2 * root + 1; child < end; child = 2 * root + 1) {
    if (child + 1 < end && values[child] < values[child + 1]) child++;
    if (values[root] >= values[child]) return;
    swap(values, root, child);
    root = child;
  }
}

function middleOfThree(a, b, c) {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(values, a, b) {
  const kept = values[a];
  values[a] = values[b];
  values[b] = kept;
}
