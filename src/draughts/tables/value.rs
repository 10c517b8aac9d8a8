//! What a table says of a position.

/// The result with the best play of both sides, for the side to move, and the plies to the next
/// conversion (capture, crowning or end of the game) on the way there; a draw has no plies.
///
/// A byte: 0 a draw, else 1 more than twice the plies for a win, 2 more for a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(u8);

impl Value {
    pub const DRAW: Value = Value(0);

    /// As many plies, or more, are all the same: longer than any rule gives.
    pub const MOST_PLIES: u32 = 126;

    pub const fn win(plies: u32) -> Value {
        Value((if plies < Value::MOST_PLIES { plies } else { Value::MOST_PLIES } * 2 + 1) as u8)
    }

    pub const fn loss(plies: u32) -> Value {
        Value((if plies < Value::MOST_PLIES { plies } else { Value::MOST_PLIES } * 2 + 2) as u8)
    }

    pub const fn is_win(self) -> bool {
        self.0 % 2 == 1
    }

    pub const fn is_draw(self) -> bool {
        self.0 == 0
    }

    pub const fn is_loss(self) -> bool {
        self.0 != 0 && self.0.is_multiple_of(2)
    }

    /// Plies to the next conversion; 0 for a draw.
    pub const fn plies(self) -> u32 {
        (self.0.saturating_sub(1) / 2) as u32
    }

    /// The value before a move that leads to a position of this value for the other side.
    pub const fn before(self, conversion: bool) -> Value {
        let plies = if conversion { 1 } else { self.plies() + 1 };
        if self.is_draw() {
            Value::DRAW
        } else if self.is_win() {
            Value::loss(plies)
        } else {
            Value::win(plies)
        }
    }

    /// Larger is better: wins by fewer plies, draws, losses by more.
    pub const fn rank(self) -> i32 {
        if self.is_win() {
            1000 - self.plies() as i32
        } else if self.is_loss() {
            self.plies() as i32 - 1000
        } else {
            0
        }
    }

    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The value of a byte; 255 is none.
    pub const fn from_byte(byte: u8) -> Option<Value> {
        if byte == u8::MAX { None } else { Some(Value(byte)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_tell_values_apart() {
        let mut seen = vec![Value::DRAW];
        for plies in 0..=Value::MOST_PLIES {
            let (win, loss) = (Value::win(plies), Value::loss(plies));
            assert!(win.is_win() && loss.is_loss() && !win.is_loss() && !loss.is_win());
            assert_eq!((win.plies(), loss.plies()), (plies, plies));
            assert!(win.rank() > 0 && loss.rank() < 0);
            seen.extend([win, loss]);
        }
        for byte in 0..=254 {
            let value = Value::from_byte(byte).unwrap();
            assert_eq!(value.byte(), byte);
            assert!(seen.contains(&value));
        }
        assert_eq!(Value::from_byte(255), None);
        assert_eq!(Value::loss(4).before(false), Value::win(5));
        assert_eq!(Value::win(4).before(true), Value::loss(1));
        assert_eq!(Value::win(200), Value::win(126));
        assert_eq!(Value::DRAW.before(true), Value::DRAW);
    }
}
