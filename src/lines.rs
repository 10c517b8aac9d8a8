//! Reads lines whose length nobody vouches for.

use std::io::{self, BufRead};

/// What [`read_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    Line,
    /// A line longer than allowed. It was read to its end and dropped.
    TooLong,
    /// Nothing more comes.
    End,
}

/// Reads up to the end of a line into `line`, the end itself left out; of a line of more than
/// `longest` bytes no more than that is ever held.
///
/// # Errors
/// Those of `source`, but for interruptions, after which reading goes on.
pub fn read_line(source: &mut impl BufRead, line: &mut Vec<u8>, longest: usize) -> io::Result<Read> {
    let mut any = false;
    let mut too_long = false;
    loop {
        let available = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result?,
        };
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        any |= !available.is_empty();
        too_long |= line.len() + part.len() > longest;
        if !too_long {
            line.extend_from_slice(part);
        }
        let (used, at_end) = (part.len() + usize::from(end.is_some()), available.is_empty());
        source.consume(used);
        if end.is_some() || at_end {
            return Ok(match () {
                () if too_long => Read::TooLong,
                () if any => Read::Line,
                () => Read::End,
            });
        }
    }
}
